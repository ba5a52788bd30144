export { AccessRequests } from './access-requests.ts';
export { refusalText } from './call-refusal.ts';
export {
  type AllowVerdict,
  type Call,
  type CarryOutParts,
  carryOut,
  type DenyVerdict,
  type Permit,
} from './carry-out.ts';
export { CommandCalls, type CommandOutcome } from './command-calls.ts';
export type { LazyToolPlane } from './lazy-tool-plane.ts';
export { overriddenInput } from './overridden-input.ts';
export { plainNames, ruleName, shownName, WAIT_TOOL } from './shown-names.ts';
export {
  actorOf,
  type CallRefusal,
  type ReadOutcome,
  type ServerReadMethod,
  type ToolCallRequest,
  type ToolOutcome,
} from './tool-call.ts';
export { ToolCalls, type ToolCallsParts, type ToolRoutes } from './tool-calls.ts';
