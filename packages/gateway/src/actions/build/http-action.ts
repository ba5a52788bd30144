import { hash } from 'node:crypto';
import type { Action, HttpTarget, OwnCredential, RepositoryFact } from '@sallyport/protocol';
import {
  findInAddress,
  findInForm,
  type IsExcused,
  isFormType,
} from '../../shared/credential-forms/find-credential.ts';
import { isCredentialValue } from '../../shared/credential-forms/values.ts';
import { lastingHeaders, REDACTED } from '../../shared/same-request.ts';
import { visibleLine, visibleText } from '../../shared/visible-text.ts';
import type { HttpClassification, HttpRequestHead } from '../http/index.ts';
import type { ActionContext } from './action-context.ts';
import { finishAction } from './finish-action.ts';
import { headerName } from './header-name.ts';
import { EMPTY_BODY, httpTexts } from './http-texts.ts';

export interface RequestBody {
  /** size of the whole body; undefined while it is still streaming in */
  readonly bytes?: number;
  /** SHA-256 of the whole body, once it is known */
  readonly sha256?: string;
}

export type ClassifyHttp = (request: HttpRequestHead, credential?: string) => HttpClassification;

const decoder = new TextDecoder();

/** What classifiers are told will be lent. */
export function lentFor({ credential, isRehearsal }: ActionContext): string | undefined {
  return credential ?? (isRehearsal === true ? 'any' : undefined);
}

/** The action of one request: what the proxy door makes. */
export function buildHttpAction(
  request: HttpRequestHead,
  body: RequestBody,
  context: ActionContext,
  classification: HttpClassification,
): Action {
  const shown = classification.text ?? (request.bodyPrefix && decoder.decode(request.bodyPrefix)) ?? '';
  const target = httpTarget(request, classification, context, shown);
  const url = urlOf(request);
  const sha256 = body.sha256 ?? (request.bodyComplete ? digest(request.bodyPrefix) : undefined);
  const headers: (readonly [string, string])[] = [];
  let head = `${request.method} ${url}`;
  for (const header of request.headers) {
    const known = headerName(header[0]);
    // What is sent under a harmless name, to a host that gets the agent's own auth, is not shown either.
    const shown =
      known.redacted ?? (isCredentialValue(header[1]) ? ([header[0], REDACTED] as const) : header);
    headers.push(shown);
    head += known.line;
    head += shown[1];
  }
  const about = { bytes: body.bytes ?? null, complete: request.bodyComplete, sha256: sha256 ?? null, shown };
  const input = { body: about, headers, method: request.method, url };
  const plain = shown === '' ? head : `${head}\n\n${shown}`;
  const noted = `${pushOptions(target)}${plain}`;
  const preview = previewOf(noted, request.bodyComplete, body);
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
      preview,
    },
    () => ({ body: sha256 ?? null, headers: lastingHeaders(headers), method: request.method, url }),
    httpTexts(input, preview, preview === plain ? head : undefined),
  );
}

/** Where a request leads. `text`: the beginning of its body. Keys in sorted order: what is hashed is then written by the engine's own writer. */
export function httpTarget(
  request: HttpRequestHead,
  { object, operation, provider, repo, target: { path, query, problem } }: HttpClassification,
  { credential, isExcused }: ActionContext,
  text = '',
): HttpTarget {
  // Member by member, not by spreading: this runs for every request, and the engine keeps such objects fast.
  const target: { -readonly [Key in keyof HttpTarget]?: HttpTarget[Key] } = {};
  if (credential !== undefined) target.credential = credential;
  if (request.forward === true) target.forward = true;
  target.host = request.host;
  target.kind = 'http';
  // as sent: `get` is not GET to a server, so it must not be GET to a rule
  target.method = request.method;
  if (object !== undefined) target.object = object;
  if (operation !== undefined) target.operation = operation;
  const own = ownCredentialOf(request, path, query, text, isExcused);
  if (own !== undefined) target.ownCredential = own;
  target.path = path;
  target.port = request.port;
  if (problem !== undefined) target.problem = { code: 'Malformed', message: problem };
  if (provider !== undefined) target.provider = provider;
  target.queryKeys = query === '' ? NO_KEYS : queryNames(query);
  if (repo !== undefined) target.repo = sortedRepo(repo);
  target.scheme = request.scheme;
  // Every member that a target must have is set above.
  return target as HttpTarget;
}

/** They stand between packet lines and a pack, where nobody finds them. */
function pushOptions({ repo }: HttpTarget): string {
  const lines = repo?.options?.map((option) => `push option: ${visibleLine(option)}\n`) ?? [];
  return lines.length === 0 ? '' : `${lines.join('')}\n`;
}

const NOTHING = (): boolean => false;

/** What the request would carry of the agent's own in its address or form; headers with one never get this far. */
function ownCredentialOf(
  { scheme, host, headers }: HttpRequestHead,
  path: string,
  query: string,
  text: string,
  isExcused: IsExcused = NOTHING,
): OwnCredential | undefined {
  if (scheme === 'tunnel') return undefined;
  let found = findInAddress({ host, path, query }, isExcused);
  if (found === undefined && text !== '') {
    for (const [name, type] of headers) {
      if (name.length !== 12 || name.toLowerCase() !== 'content-type' || !isFormType(type)) continue;
      found ??= findInForm(text, type, host, isExcused);
    }
  }
  return found === undefined ? undefined : { name: found.name, where: found.where };
}

const NO_KEYS: readonly string[] = [];

function sortedRepo({ area, head, options, pipeline, refs, repository }: RepositoryFact): RepositoryFact {
  return {
    area,
    ...(head === undefined ? {} : { head }),
    ...(options === undefined ? {} : { options }),
    ...(pipeline === undefined ? {} : { pipeline }),
    refs: refs.map(({ change, ref }) => ({ change, ref })),
    ...(repository === undefined ? {} : { repository }),
  };
}

/** Names without values, each once: values may hold what must not be kept. */
function queryNames(query: string): readonly string[] {
  // Long ones by a set: looking through a list for each of thousands of names would take its square.
  if (query.length > 256 || /[%+]/.test(query)) return [...new Set(new URLSearchParams(query).keys())];
  if (!query.includes('&')) return [nameIn(query)];
  const names: string[] = [];
  for (const part of query.split('&')) {
    const name = nameIn(part);
    if (!names.includes(name)) names.push(name);
  }
  return names;
}

function nameIn(part: string): string {
  const border = part.indexOf('=');
  return border === -1 ? part : part.slice(0, border);
}

/** The whole address, as it is shown. */
export function urlOf({ scheme, host, port, target }: HttpRequestHead): string {
  const name = host.includes(':') ? `[${host}]` : host;
  if (scheme === 'tunnel') return `${name}:${port}`;
  const usual = (scheme === 'https' || scheme === 'wss') === (port === 443) && (port === 443 || port === 80);
  return `${scheme}://${name}${usual ? '' : `:${port}`}${target}`;
}

function previewOf(text: string, isWhole: boolean, body: RequestBody): string {
  if (isWhole) return visibleText(text);
  const size = body.bytes ?? 'unknown number of';
  return visibleText(`${text}\n[the body goes on: ${size} bytes, sha256 ${body.sha256 ?? 'not yet known'}]`);
}

function digest(bytes: Uint8Array | undefined): string {
  return bytes === undefined || bytes.length === 0 ? EMPTY_BODY : hash('sha256', bytes);
}
