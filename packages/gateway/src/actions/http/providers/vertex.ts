import { anthropicMessages } from '../models/anthropic-body.ts';
import { type Check, never } from '../models/check.ts';
import { geminiContent } from '../models/gemini-body.ts';
import type { Inference } from '../models/inference.ts';
import type { RequestView } from '../request-view.ts';
import { GEMINI_VERBS } from './model-api.ts';

const HOST = /^(?:(?:[a-z]+-[a-z]+\d+|us|eu|global)-)?aiplatform\.(?:[a-z0-9-]+\.rep\.)?googleapis\.com$/;
const PATH = /\/(?:publishers\/([^/]+)\/models|endpoints)\/[^/]+(?::|%3A)([A-Za-z]+)$/;

/** Whether a host of Google Cloud serves models, whatever is asked of it. */
export const isVertexHost = (host: string): boolean => HOST.test(host);

const UNREAD = never('a body that is not read');

const VERBS: ReadonlyMap<string, Check> = new Map([
  ...GEMINI_VERBS,
  ['computeTokens', geminiContent],
  ['predict', UNREAD],
  ['serverStreamingPredict', UNREAD],
]);

/** Vertex: Gemini, and models of Anthropic as they are asked; bodies of other models are not known. */
export function vertexInference({ method, host, path }: RequestView): Inference | undefined {
  if (method !== 'POST' || !isVertexHost(host)) return undefined;
  const [, publisher, verb] = PATH.exec(path) ?? [];
  if (verb === undefined) return undefined;
  const isRaw = verb === 'rawPredict' || verb === 'streamRawPredict';
  const check = isRaw ? (publisher === 'anthropic' ? anthropicMessages : UNREAD) : VERBS.get(verb);
  return check === undefined ? undefined : { operation: `POST ${host} :${verb}`, check, isOwnHost: true };
}
