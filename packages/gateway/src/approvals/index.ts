export type {
  Approval,
  ApprovalStatus,
  Decider,
  Decision,
  DecisionCode,
  EscalationStep,
  Question,
  QuestionDraft,
} from './approval.ts';
export { refusedEvent } from './approval-events.ts';
export type { Answer, ApprovalPort, AskOptions, StandingAnswers } from './approval-port.ts';
export { Approvals } from './approvals.ts';
export { deriveAnswerKey } from './channels/answer-key.ts';
export type {
  AnswerOutcome,
  Channel,
  ChannelAnswer,
  ChannelCeiling,
  DeliveryRef,
  Digest,
  Notice,
  OnAnswer,
  Recipient,
} from './channels/channel.ts';
export { CHANNEL_NAMES, CHANNELS, openChannel } from './channels/channels.ts';
export type { ChannelTools, OpenedChannel } from './channels/definition.ts';
export type { UnprovedAnswer } from './channels/email/index.ts';
export type { TelegramChannel } from './channels/telegram/index.ts';
export type { WebhookChannel } from './channels/webhook/index.ts';
export type { ChannelProblem } from './channels-in-use.ts';
export type { Deciders } from './deciders.ts';
export type { Desk } from './desk.ts';
export { Inbox, type InboxHandler, type InboxMail } from './inbox.ts';
export {
  MENU,
  MENU_HELP,
  type ParsedAnswer,
  toDecision,
} from './menu.ts';
export { type OpenApprovals, type OpenApprovalsParts, openApprovals } from './open-approvals.ts';
export {
  type JudgeAnswer,
  type JudgePort,
  ModelClient,
  type Review,
  Reviewer,
  type ReviewPort,
  SemanticJudge,
  type ToolValidation,
} from './review/index.ts';
export { ONCE_GRANT_MS } from './settlement.ts';
