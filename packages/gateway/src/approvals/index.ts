export type {
  Approval,
  ApprovalStatus,
  AskReason,
  Decider,
  Decision,
  DecisionCode,
  EscalationStep,
  Question,
  QuestionDraft,
} from './approval/approval.ts';
export { refusedEvent } from './approval/approval-events.ts';
export {
  MENU,
  MENU_HELP,
  mayBeChanged,
  type ParsedAnswer,
  toDecision,
} from './approval/menu.ts';
export type { AnswerOutcome, Digest, Notice } from './approval/message.ts';
export type { Answer, ApprovalPort, AskOptions, StandingAnswers } from './approval-port.ts';
export { Approvals } from './approvals.ts';
export { deriveAnswerKey } from './channels/answer-button.ts';
export type {
  Channel,
  ChannelAnswer,
  ChannelCeiling,
  DeliveryRef,
  OnAnswer,
  Recipient,
} from './channels/channel.ts';
export type {
  ChannelDefinition,
  ChannelSetup,
  ChannelTools,
  DecisionLinks,
  OpenedChannel,
  SetupField,
  TelegramUpdates,
  UnprovedAnswer,
} from './channels/definition.ts';
export { Inbox, type InboxHandler, type InboxMail } from './channels/inbox.ts';
export { CHANNEL_NAMES, CHANNELS, openChannel } from './channels/index.ts';
export type { ChannelProblem } from './channels-in-use.ts';
export type { Decisions } from './decisions.ts';
export type { Deciders } from './dispatch/deciders.ts';
export { type OpenApprovals, type OpenApprovalsParts, openApprovals } from './open-approvals.ts';
export { ModelClient } from './review/model-client.ts';
export type { JudgeAnswer, JudgePort, Review, ReviewPort, ToolValidation } from './review/review.ts';
export { Reviewer } from './review/reviewer.ts';
export { SemanticJudge } from './review/semantic-judge.ts';
export { ONCE_GRANT_MS } from './settlement.ts';
