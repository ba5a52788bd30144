export type { Button, ChatMessage } from './chats.ts';
export { type TelegramCall, type TelegramPerson, TelegramServer } from './telegram-server.ts';
