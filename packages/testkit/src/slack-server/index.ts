export { type PressOptions, type PressResult, SlackServer } from './slack-server.ts';
export type { SlackMessage } from './workspace.ts';
