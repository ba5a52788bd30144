export { type WebhookPost, WebhookReceiver } from './webhook-receiver.ts';
