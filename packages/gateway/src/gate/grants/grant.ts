import {
  type Action,
  type ActionType,
  factsOfDoor,
  type Judgement,
  RISKS,
  type Risk,
} from '@sallyport/protocol';
import { type Operation, operationsOf, requestOf } from '../../targets/index.ts';
import { requestKeyOf } from './request-key-of.ts';

/** How long a standing answer stands. */
export type GrantScope = 'once' | 'session' | 'minutes' | 'always';

/** A host that was new when somebody said yes: its reads do not ask for that any more. */
export interface OpenedHost {
  readonly host: string;
  readonly port: number;
  readonly credential: string | null;
}

/** What holds of every cover that is wider than one action: another credential, or more risk, is another question. */
interface Limits {
  readonly credential: string | null;
  /** the risk that was shown; nothing above it is covered */
  readonly risk: Risk;
}

/** What a grant covers: as narrow as the question that it was given for, unless a person widened it on purpose. */
export type GrantCover =
  /** this action, to the letter */
  | { readonly kind: 'fingerprint'; readonly fingerprint: string; readonly opens?: OpenedHost }
  /** these operations on these objects, in this order */
  | ({
      readonly kind: 'operation';
      readonly operations: readonly Operation[];
      readonly opens?: OpenedHost;
    } & Limits)
  /** every read of the object, or of the host */
  | ({ readonly kind: 'reads'; readonly of: ReadScope } & Limits)
  /** one operation on everything that belongs to an owner: `github.com/acme` */
  | ({
      readonly kind: 'owner';
      readonly operation: string;
      readonly at: string;
      readonly owner: string;
    } & Limits)
  /** one request, by its `requestKey`: what was allowed at a door that makes it; never with a credential */
  | { readonly kind: 'request'; readonly key: string; readonly risk: Risk }
  /** the approval API's own: a declared type; never reaches another door */
  | { readonly kind: 'declared'; readonly type: ActionType };

export type ReadScope =
  | { readonly kind: 'object'; readonly object: string; readonly at?: string }
  | { readonly kind: 'host'; readonly host: string; readonly port: number };

/** A standing answer that a person gave: visible, counted, revocable. */
export interface Grant {
  readonly id: string;
  readonly tenant: string;
  readonly agent?: string;
  readonly client?: string;
  readonly covers: GrantCover;
  /** `no`: what it covers is refused, and nobody is asked */
  readonly answer: 'yes' | 'no';
  readonly scope: GrantScope;
  /** the one session that it is for; always there for scope `session` */
  readonly session?: string;
  /** ms since epoch; absent: until revoked or used up */
  readonly expiresAt?: number;
  readonly createdAt: number;
  /** the person who gave it */
  readonly createdBy: string;
  readonly approvalId?: string;
  readonly uses: number;
  /** it ends with this use; absent: nobody counts */
  readonly usesAtMost?: number;
  readonly endedAt?: number;
  readonly endReason?: string;
}

/** What is asked, as far as a grant must know it. */
export interface AskedAction {
  readonly action: Action;
  /** nothing but that the host is new */
  readonly onlyNewHost: boolean;
}

export function askedOf(action: Action, judgement: Judgement): AskedAction {
  const asks = judgement.opinions.filter((opinion) => opinion.says === 'ask');
  // SECURITY: what no rule allows is asked for that as well, although no layer says so.
  const isAllowed = judgement.opinions.some(({ says }) => says === 'allow');
  return { action, onlyNewHost: isAllowed && asks.every(({ newHost }) => newHost !== undefined) };
}

/**
 * Whether a grant is the answer to this action now.
 *
 * Says nothing about what may be answered: the caller asks only for asks of strength `review` and `human`.
 */
export function grantCovers(grant: Grant, asked: AskedAction, now: number): boolean {
  const { action } = asked;
  const { actor } = action;
  if (grant.endedAt !== undefined) return false;
  if (grant.expiresAt !== undefined && !(now < grant.expiresAt)) return false;
  // SECURITY: a grant belongs to one tenant and one agent or client, and to no other.
  if (grant.tenant !== actor.tenant || grant.agent !== actor.agent || grant.client !== actor.client)
    return false;
  if (grant.agent === undefined && grant.client === undefined) return false;
  if (grant.scope === 'session' && grant.session === undefined) return false;
  if (grant.session !== undefined && grant.session !== sessionOf(action)) return false;
  const declared = grant.covers.kind === 'declared';
  if (declared !== factsOfDoor(action.door).selfDeclared) return false;
  return covers(grant.covers, asked);
}

/** An API client names its runs itself; an agent's session is proved by its token. */
function sessionOf({ door, actor, input }: Action): unknown {
  return factsOfDoor(door).speaker === 'client' ? input.session_id : actor.session;
}

function covers(cover: GrantCover, asked: AskedAction): boolean {
  const { action } = asked;
  switch (cover.kind) {
    case 'fingerprint':
      return cover.fingerprint === action.fingerprint || opensHost(cover.opens, asked);
    case 'operation':
      return (
        (isWithin(cover, action) && sameOperations(cover.operations, operationsOf(action))) ||
        opensHost(cover.opens, asked)
      );
    case 'reads':
      return isWithin(cover, action) && action.effect === 'read' && readsOf(cover.of, action);
    case 'owner':
      return isWithin(cover, action) && ofOwner(cover, operationsOf(action));
    case 'request':
      return isWithin({ credential: null, risk: cover.risk }, action) && cover.key === requestKeyOf(action);
    case 'declared':
      return cover.type === action.type;
    // open: a form of an earlier version, or of a later one; it covers nothing
    default:
      return false;
  }
}

/** SECURITY: never another credential, never a higher risk than was shown [GA-11]. */
function isWithin({ credential, risk }: Limits, { target, risk: actual }: Action): boolean {
  return credential === (target.credential ?? null) && RISKS.indexOf(actual) <= RISKS.indexOf(risk);
}

function sameOperations(granted: readonly Operation[], actual: readonly Operation[]): boolean {
  return (
    granted.length > 0 &&
    granted.length === actual.length &&
    granted.every((one, index) => isSame(one, actual[index]))
  );
}

function isSame(one: Operation, other: Operation | undefined): boolean {
  return one.operation === other?.operation && one.object === other.object && one.at === other.at;
}

/** SECURITY: reads alone, and only where being new is all that is asked about. */
function opensHost(opened: OpenedHost | undefined, { action, onlyNewHost }: AskedAction): boolean {
  if (opened === undefined || !onlyNewHost || action.effect !== 'read') return false;
  const request = requestOf(action.target);
  return (
    action.target.named === undefined &&
    request?.host === opened.host &&
    request.port === opened.port &&
    opened.credential === (request.credential ?? null)
  );
}

function readsOf(scope: ReadScope, action: Action): boolean {
  const [only, ...more] = operationsOf(action);
  if (only === undefined || more.length > 0) return false;
  if (scope.kind === 'object') return only.object === scope.object && only.at === scope.at;
  const request = requestOf(action.target);
  return request?.host === scope.host && request.port === scope.port;
}

function ofOwner(
  { operation, at, owner }: { readonly operation: string; readonly at: string; readonly owner: string },
  [only, ...more]: readonly Operation[],
): boolean {
  if (only === undefined || more.length > 0) return false;
  return only.operation === operation && only.at === at && ownerOf(only) === owner;
}

/** `github.com/acme` of `github.com/acme/app`, with or without a branch behind it; undefined for anything else. */
export function ownerOf({ object }: Operation): string | undefined {
  return /^([^/\s]+\/[^/\s]+)\/[^/\s]+(?:\s|$)/.exec(object)?.[1];
}
