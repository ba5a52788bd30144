export { DiscordServer } from './discord-server.ts';
export type { DiscordMessage } from './town.ts';
