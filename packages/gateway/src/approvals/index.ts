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
export type { Answer, ApprovalPort, AskOptions, StandingAnswers } from './approval-port.ts';
export { Approvals } from './approvals.ts';
export type {
  AnswerOutcome,
  Channel,
  ChannelAnswer,
  ChannelCeiling,
  DeliveryRef,
  Digest,
  OnAnswer,
  Recipient,
} from './channels/channel.ts';
export type { Deciders } from './deciders.ts';
export type { Desk } from './desk.ts';
export { Inbox, type InboxHandler, type InboxMail } from './inbox.ts';
export {
  isWellFormed,
  MENU,
  MENU_HELP,
  MINUTES_AT_MOST,
  type ParsedAnswer,
  parseMenu,
  toDecision,
} from './menu.ts';
export { type OpenApprovals, type OpenApprovalsParts, openApprovals } from './open-approvals.ts';
export { ONCE_GRANT_MS } from './settlement.ts';
