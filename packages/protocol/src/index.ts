export {
  type Action,
  type Actor,
  type AddressTarget,
  CONFINEMENTS,
  type CommandFact,
  type CommandTarget,
  type Confinement,
  DOORS,
  type Door,
  type Effect,
  type HttpTarget,
  type Json,
  type JsonObject,
  type McpTarget,
  type PathFact,
  type PathTarget,
  type PlainTarget,
  type Reach,
  type RefChange,
  type RepositoryFact,
  RISKS,
  type Risk,
  type Target,
  type TargetKind,
  type TargetProblem,
} from './action.ts';
export {
  ACTION_TYPES,
  type ActionType,
  API_ACTION_TYPES,
  BUILT_IN_CUSTOM_TYPES,
  type BuiltInActionType,
} from './action-type.ts';
export {
  type AuditEvent,
  EVENT_TYPES,
  type EventActor,
  type EventType,
  type NewEvent,
} from './audit-event.ts';
export { ERRORS, type ErrorCode } from './error-catalogue.ts';
export { type ErrorBody, SallyportError, type SallyportErrorOptions } from './sallyport-error.ts';
export {
  type Judgement,
  LAYERS,
  type LayerName,
  type Opinion,
  type Position,
  STRENGTHS,
  type Strength,
  type Verdict,
} from './verdict.ts';
