export { actorOf } from './actor-of.ts';
export { refusalText } from './call-refusal.ts';
export type { LazyToolPlane } from './lazy-tool-plane.ts';
export { overriddenInput } from './overridden-input.ts';
export { plainNames, ruleName, shownName, WAIT_TOOL } from './shown-names.ts';
export type {
  CallRefusal,
  ReadOutcome,
  ServerReadMethod,
  ToolCallRequest,
  ToolOutcome,
} from './tool-call.ts';
export { ToolCalls, type ToolCallsParts, type ToolRoutes } from './tool-calls.ts';
