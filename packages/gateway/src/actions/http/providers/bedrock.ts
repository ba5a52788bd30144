import { anthropicMessages } from '../models/anthropic-body.ts';
import { bedrockConverse, cohereEmbedding, titanEmbedding } from '../models/bedrock-body.ts';
import { type Check, never } from '../models/check.ts';
import type { Inference } from '../models/inference.ts';
import type { RequestView } from '../request-view.ts';
import { signedServices } from './aws-operation.ts';

const HOST = /^bedrock-runtime(?:-fips)?\.[a-z]{2}(?:-[a-z]+)+-\d\.(?:amazonaws\.com(?:\.cn)?|api\.aws)$/;
const PATH = /^\/model\/([^/]+)\/(invoke|invoke-with-response-stream|converse|converse-stream|count-tokens)$/;

/** Whether a host of AWS serves models, whatever is asked of it. */
export const isBedrockHost = (host: string): boolean => HOST.test(host);

/** Models whose bodies are known, also by the name of a region or of an ARN. */
const INVOKED: readonly (readonly [name: RegExp, check: Check])[] = [
  [/(?:^|[./])anthropic\./, anthropicMessages],
  [/(?:^|[./]|%2F)amazon\.titan-embed-/i, titanEmbedding],
  [/(?:^|[./]|%2F)cohere\.embed-/i, cohereEmbedding],
];

const UNREAD = never('a body that is not read');

/** Bedrock: Converse, and models of Anthropic as they are invoked; bodies of other models are not known. */
export function bedrockInference(view: RequestView): Inference | undefined {
  if (view.method !== 'POST' || !isBedrockHost(view.host)) return undefined;
  const [, model = '', operation] = PATH.exec(view.path) ?? [];
  if (operation === undefined || signedServices(view).some((service) => service !== 'bedrock'))
    return undefined;
  return { operation: `bedrock:${operation}`, check: checkFor(operation, model), isOwnHost: true };
}

function checkFor(operation: string, model: string): Check {
  // A prompt that is kept there has settings and tools of its own.
  if (/prompt(?:%2F|\/)/i.test(model)) return never('settings that the provider keeps');
  if (operation.startsWith('converse')) return bedrockConverse;
  if (!operation.startsWith('invoke')) return UNREAD;
  return INVOKED.find(([name]) => name.test(model))?.[1] ?? UNREAD;
}
