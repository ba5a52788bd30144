export { type ActionBuilder, type CreateBuilder, loadActionBuilders } from './build/action-builder.ts';
export type { ActionContext } from './build/action-context.ts';
export { type ActionDraft, finishAction } from './build/finish-action.ts';
export type { RequestBody } from './build/http-action.ts';
export { type BuiltRequest, createHttpBuilder, type HttpActionBuilder } from './build/http-builder.ts';
export { requestsMadeBy } from './build/made-requests.ts';
export type { ToolCall } from './build/tool-action.ts';
export { type Wanted, type WantedParts, wantedAction } from './build/wanted-action.ts';
export {
  type CliContext,
  type CliIntent,
  classifyCli,
  isInsideCwd,
  type ParsedArgv,
  parseCurl,
} from './cli/index.ts';
export {
  type HttpRequestHead,
  isOverrideHeader,
  normalizeRequestTarget,
  type ProviderEntry,
  pushOperation,
  type RequestTarget,
  readPush,
  runsModel,
  SAMPLES,
} from './http/index.ts';
export { realFolder } from './paths/index.ts';
export { EVERYTHING, workspaceOf } from './places/index.ts';
export { discoverRegistries } from './registries/discover.ts';
export { hostFiles } from './registries/host-files.ts';
export { loadHostLists, mergeHostLists } from './registries/host-lists.ts';
export { registryEntry } from './registries/registry.ts';
export { riskOf } from './risk.ts';
export type { Client } from './tools/client-tools.ts';
