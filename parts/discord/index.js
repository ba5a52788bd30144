// What the Discord channel uses of discord.js.
export { Client, REST } from 'discord.js';
