import {
  type BuiltRequest,
  type HttpRequestHead,
  normalizeRequestTarget,
  type RequestTarget,
} from '../../actions/index.ts';
import { actorOf } from '../../calls/index.ts';
import { isAlone } from '../../credentials/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { FoundCredential, IsExcused } from '../../shared/credential-forms/find-credential.ts';
import type { Header, OutgoingRequest } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { OutlineMembers } from '../../shared/json-outline.ts';
import type { BodyIntake } from './body-intake.ts';
import { type Choice, chooseCredential } from './choose-credential.ts';
import type { Handed } from './handed.ts';
import type { Incoming } from './incoming.ts';
import type { ProxyParts } from './proxy-parts.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { stripHeaders } from './strip-headers.ts';

/** What goes upstream with a request, apart from the value of its credential. */
export interface RequestPlan {
  readonly choice: Choice;
  readonly headers: readonly Header[];
  /** path and query: as they came, but for dot segments, which are resolved */
  readonly target: string;
  /** `target` in one spelling */
  readonly normalized: RequestTarget;
}

/** What a request is planned with. */
interface PlanTools {
  readonly parts: ProxyParts;
  readonly handed: Handed;
}

const DOT_SEGMENT = /\/(?:\.|%2e){1,2}(?:\/|$)/i;

/**
 * Chooses the credential and strips the headers. Throws `CredentialNotAllowed`.
 *
 * `isPrompt`: the request runs a model, so that nothing is put into its body.
 */
export function planRequest(
  { parts, handed }: PlanTools,
  settings: ProxySettings,
  incoming: Incoming,
  session: SessionFacts,
  body: Buffer | undefined,
  isPrompt = false,
): RequestPlan {
  const { host, port, headers } = incoming;
  const read = normalizeRequestTarget(incoming.target);
  const target = withoutDots(incoming.target, read);
  const path = read.problem === undefined && !read.rewritten && !read.veiled ? read.path : undefined;
  const ask = { session, host, port, path, target, headers, body, isPrompt };
  const choice = chooseCredential(parts, settings, ask);
  const { credential, mentions, places } = choice;
  return {
    choice,
    target,
    normalized: target === incoming.target ? read : normalizeRequestTarget(target),
    headers: stripHeaders(headers, {
      passesAuth: settings.passesAuth(host),
      extra: settings.stripHeaders,
      // Where a credential is lent, its cookies live on our side.
      cookiesOf: (value) =>
        credential === undefined ? handed.cookiesIn(session.id, host, value) : undefined,
      isMention: (name, value) =>
        places?.headers.includes(name) === true && mentions.some((mention) => isAlone(value, mention, false)),
    }),
  };
}

/**
 * SECURITY: `/admin/../public` is judged as `/public`; a server that does not resolve it would read `/admin/…`. What is
 * sent is what was judged [GA-8].
 */
function withoutDots(target: string, { path, query, problem }: RequestTarget): string {
  const mark = target.indexOf('?');
  if (problem !== undefined || !DOT_SEGMENT.test(mark === -1 ? target : target.slice(0, mark))) return target;
  return mark === -1 ? path : `${path}?${query}`;
}

/** What is known of a body before the verdict. */
export interface SeenBody {
  readonly prefix: Buffer;
  readonly isComplete: boolean;
  readonly bytes?: number;
  readonly sha256?: string;
  readonly outline?: OutlineMembers;
}

/** The action of a request: judged on its head and on the beginning of its body. */
export function buildRequest(
  { parts, handed }: PlanTools,
  incoming: Incoming,
  session: SessionFacts,
  plan: RequestPlan,
  body: SeenBody,
): BuiltRequest {
  const bytes = body.bytes ?? incoming.bodyBytes ?? (body.isComplete ? body.prefix.length : undefined);
  const size = bytes === undefined ? NO_SIZE : { bytes };
  return parts.builderFor(session.tenant).http(
    requestHead(incoming, plan, body),
    body.sha256 === undefined ? size : { ...size, sha256: body.sha256 },
    contextOf(
      session,
      plan.choice.credential,
      (found) =>
        isOverwritten(found, plan.choice) ||
        (found.isSignature && handed.hasUrl(session.id, incoming, plan.normalized)),
    ),
  );
}

const NO_SIZE = {};

/** What classifiers look at. */
export function requestHead(incoming: Incoming, plan: RequestPlan, body: SeenBody): HttpRequestHead {
  const { scheme, host, port, method, upgrade } = incoming;
  const { outline } = body;
  const isUpgrade = upgrade !== undefined;
  const head: HttpRequestHead = {
    scheme: isUpgrade ? (scheme === 'https' ? 'wss' : 'ws') : scheme,
    host,
    port,
    method,
    target: plan.target,
    normalized: plan.normalized,
    headers: plan.headers,
    bodyPrefix: body.prefix,
    bodyComplete: body.isComplete,
  };
  // Most have neither.
  if (outline === undefined && !isUpgrade) return head;
  return { ...head, ...(outline === undefined ? {} : { outline }), ...(isUpgrade ? { upgrade } : {}) };
}

/** A parameter that lending writes anew: nothing of what the agent put there is sent. */
function isOverwritten({ where, name }: FoundCredential, { places, onlyMentions }: Choice): boolean {
  if (where !== 'query' || places === undefined || (onlyMentions && !places.namesOnly)) return false;
  const lower = name.toLowerCase();
  return places.query.some((one) => (places.namesOnly ? one.toLowerCase() === lower : one === name));
}

/** `isExcused` says of what looks like the agent's own credential that it was lent or handed to it. */
export function contextOf(
  session: SessionFacts,
  credential: string | undefined,
  isExcused: IsExcused = () => false,
) {
  const actor = actorOf(session);
  return credential === undefined
    ? { door: 'proxy' as const, actor, cwd: '/', home: '/', isExcused }
    : { door: 'proxy' as const, actor, cwd: '/', home: '/', isExcused, credential };
}

/** The allowed request, written anew from the parsed form. */
export function outgoingRequest(
  incoming: Incoming,
  session: SessionFacts,
  plan: RequestPlan,
  intake: BodyIntake | undefined,
): OutgoingRequest {
  const { scheme, host, port, method, hasBody, bodyBytes } = incoming;
  const { target } = plan;
  const agentAuthorization = fieldValue(incoming.headers, 'authorization');
  const common = { tenant: session.tenant, scheme, host, port, method, target, agentAuthorization };
  const headers = [...plan.headers];
  if (!hasBody || intake === undefined) return { ...common, headers, isStreamed: false };
  // What is all here goes in one piece, unless something comes after it.
  const spooled = intake.spooledBytes;
  const body = spooled === undefined && intake.trailers.length === 0 ? intake.wholeHere() : undefined;
  if (body !== undefined) return { ...common, headers, body, isStreamed: false };
  return { ...common, headers, isStreamed: true, streamedBytes: spooled ?? bodyBytes };
}

function fieldValue(headers: readonly Header[], wanted: string): string | undefined {
  for (const header of headers) if (lowerFieldName(header[0]) === wanted) return header[1];
  return undefined;
}
