export {
  classifyHttp,
  compileHttpTables,
  createHttpClassifier,
  type HttpClassifier,
  type HttpClassifierOptions,
  type HttpTables,
  wantsOutline,
} from './classify.ts';
export type { HttpClassification, HttpRequestHead, HttpScheme } from './http-request.ts';
export { hasOverrideInQuery, isMethodOverride } from './method-override.ts';
export type { ProviderEntry } from './provider-hosts.ts';
export { PROVIDERS } from './providers/index.ts';
export { normalizeRequestTarget, type RequestTarget } from './request-target.ts';
export { runsModel } from './runs-model.ts';
export { isOverrideHeader } from './write-signals.ts';
