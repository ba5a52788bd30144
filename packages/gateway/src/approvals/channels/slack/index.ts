export { createSlackChannel, type SlackChannel, type SlackOptions } from './slack-channel.ts';
