export type { DecisionPage } from './decision-page.ts';
export {
  DECISION_PATH,
  type DecisionRequest,
  WebhookChannel,
  type WebhookOptions,
} from './webhook-channel.ts';
