export { createDiscordChannel, type DiscordChannel, type DiscordOptions } from './discord-channel.ts';
