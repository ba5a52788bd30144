import { hash } from 'node:crypto';
import type { Action, HttpTarget, JsonObject, TargetProblem } from '@sallyport/protocol';
import { visibleText } from '../../shared/visible-text.ts';
import { type HttpClassification, type HttpRequestHead, normalizeRequestTarget } from '../http/index.ts';
import type { ActionContext } from './action-context.ts';
import { finishAction } from './finish-action.ts';
import { lent } from './tool-target.ts';

export interface RequestBody {
  /** size of the whole body; undefined while it is still streaming in */
  readonly bytes?: number;
  /** SHA-256 of the whole body, once it is known */
  readonly sha256?: string;
}

export type ClassifyHttp = (request: HttpRequestHead) => HttpClassification;

/** Headers whose values nobody needs to see to decide, and nobody may see at all. */
const HIDDEN_HEADERS =
  /^(?:authorization|proxy-authorization|cookie|set-cookie|x-api-key|.*(?:token|secret|password|signature).*)$/i;

/** The action of one request: what the proxy door makes. */
export function buildHttpAction(
  request: HttpRequestHead,
  body: RequestBody,
  context: ActionContext,
  classify: ClassifyHttp,
): Action {
  const classification = classify(request);
  const target = httpTarget(request, classification, context);
  const url = urlOf(request);
  const sha256 = body.sha256 ?? (request.bodyComplete ? digest(request.bodyPrefix) : undefined);
  const shown = request.bodyPrefix === undefined ? '' : new TextDecoder().decode(request.bodyPrefix);
  const input: JsonObject = {
    method: request.method,
    url,
    headers: request.headers.map(([name, value]) => [name, HIDDEN_HEADERS.test(name) ? '[redacted]' : value]),
    body: { bytes: body.bytes ?? null, sha256: sha256 ?? null, shown, complete: request.bodyComplete },
  };
  return finishAction(
    {
      door: context.door,
      actor: context.actor,
      tool: 'http',
      type: classification.type,
      effect: classification.effect,
      reach: classification.reach,
      risk: classification.risk,
      target,
      input,
      preview: previewOf(request, url, shown, body),
    },
    { method: request.method, url, body: sha256 ?? null },
  );
}

export function httpTarget(
  request: HttpRequestHead,
  classification: HttpClassification,
  context: ActionContext,
): HttpTarget {
  const { path, query, problem } =
    request.scheme === 'tunnel'
      ? { path: '', query: '', problem: undefined }
      : normalizeRequestTarget(request.target);
  const malformed: TargetProblem | undefined =
    problem === undefined ? undefined : { code: 'Malformed', message: problem };
  return {
    kind: 'http',
    scheme: request.scheme,
    host: request.host,
    port: request.port,
    // as sent: `get` is not GET to a server, so it must not be GET to a rule
    method: request.method,
    path,
    queryKeys: query === '' ? [] : [...new Set(new URLSearchParams(query).keys())],
    ...(classification.provider === undefined ? {} : { provider: classification.provider }),
    ...(classification.operation === undefined ? {} : { operation: classification.operation }),
    ...(classification.repo === undefined ? {} : { repo: classification.repo }),
    ...(malformed === undefined ? {} : { problem: malformed }),
    ...lent(context),
  };
}

function urlOf({ scheme, host, port, target }: HttpRequestHead): string {
  const name = host.includes(':') ? `[${host}]` : host;
  if (scheme === 'tunnel') return `${name}:${port}`;
  const usual = (scheme === 'https' || scheme === 'wss') === (port === 443) && (port === 443 || port === 80);
  return `${scheme}://${name}${usual ? '' : `:${port}`}${target}`;
}

function previewOf(request: HttpRequestHead, url: string, shown: string, body: RequestBody): string {
  const headers = request.headers.map(
    ([name, value]) => `${name}: ${HIDDEN_HEADERS.test(name) ? '[redacted]' : value}`,
  );
  const cut = request.bodyComplete
    ? []
    : [
        `[the body goes on: ${body.bytes ?? 'unknown number of'} bytes, sha256 ${body.sha256 ?? 'not yet known'}]`,
      ];
  const text = shown === '' ? [] : ['', shown];
  return visibleText([`${request.method} ${url}`, ...headers, ...text, ...cut].join('\n'));
}

function digest(bytes: Uint8Array | undefined): string {
  return hash('sha256', bytes ?? new Uint8Array());
}
