export { type ActionBuilder, type CreateBuilder, loadActionBuilders } from './build/action-builder.ts';
export type { ActionContext } from './build/action-context.ts';
export { type ActionDraft, finishAction } from './build/finish-action.ts';
export type { RequestBody } from './build/http-action.ts';
export { createHttpBuilder, type HttpActionBuilder } from './build/http-builder.ts';
export type { ToolCall } from './build/tool-action.ts';
export {
  type HttpRequestHead,
  isOverrideHeader,
  normalizeRequestTarget,
  type ProviderEntry,
  type RequestTarget,
  runsModel,
} from './http/index.ts';
export {
  discoverRegistries,
  hostFiles,
  loadHostLists,
  mergeHostLists,
  registryEntry,
} from './registries/index.ts';
export { riskOf } from './risk.ts';
export type { Client } from './tools/client-tools.ts';
