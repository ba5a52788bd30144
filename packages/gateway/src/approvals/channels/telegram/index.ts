export { TelegramChannel, type TelegramOptions } from './telegram-channel.ts';
