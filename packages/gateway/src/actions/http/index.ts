export {
  classifyHttp,
  compileHttpTables,
  createHttpClassifier,
  type HttpClassifier,
  type HttpClassifierOptions,
  type HttpTables,
  wantsOutline,
} from './classify/classify.ts';
export type { ProviderEntry } from './classify/provider-hosts.ts';
export { runsModel } from './classify/runs-model.ts';
export { readPush } from './git/receive-pack.ts';
export { pushOperation } from './git/smart-http.ts';
export type { HttpClassification, HttpRequestHead, HttpScheme } from './http-request.ts';
export { hasOverrideInQuery, isMethodOverride } from './method-override.ts';
export { PROVIDERS } from './providers/index.ts';
export { SAMPLES, type SampleRequest } from './providers/sample-requests.ts';
export { normalizeRequestTarget, type RequestTarget } from './request-target.ts';
export { isOverrideHeader } from './write-signals.ts';
