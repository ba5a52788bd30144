import { ERRORS, type ErrorCode, SallyportError, type Verdict } from '@sallyport/protocol';
import type { Header } from '../../shared/http-message.ts';
import { BadMessage } from '../../shared/http1/index.ts';
import type { Incoming } from './incoming.ts';

/** Why a request is not carried out, in words that an agent can act on. */
export interface Refusal {
  readonly status: number;
  readonly code: ErrorCode;
  readonly message: string;
  readonly layer?: string | undefined;
  readonly rule?: string | undefined;
  readonly actionId?: string | undefined;
  readonly hint?: string | undefined;
}

/** What this door answers where the catalogue speaks for other doors. */
const STATUS: Partial<Record<ErrorCode, number>> = {
  NotAuthenticated: 407,
  ApprovalTimeout: 408,
  HostNotAllowed: 421,
};

export function statusOf(code: ErrorCode): number {
  return STATUS[code] ?? ERRORS[code].status;
}

export function refusalOf(verdict: Verdict & { readonly kind: 'deny' }, actionId: string): Refusal {
  const { violation, reason, layer, rule, hint, note } = verdict;
  return {
    status: statusOf(violation),
    code: violation,
    message: note === undefined ? reason : `${reason}: ${note}`,
    layer,
    rule,
    actionId,
    hint: hint ?? ERRORS[violation].hint,
  };
}

/** Any failure as a refusal. SECURITY: what is not ours may hold anything, so nothing of it is told. */
export function refusalFrom(error: unknown, actionId?: string): Refusal {
  if (error instanceof SallyportError) {
    const { code, message, hint } = error;
    return { status: statusOf(code), code, message, hint, actionId };
  }
  if (error instanceof BadMessage) {
    return { status: error.status, code: 'BadRequest', message: error.message, hint: BAD_HINT };
  }
  return {
    status: 500,
    code: 'Internal',
    message: ERRORS.Internal.message,
    hint: ERRORS.Internal.hint,
    actionId,
  };
}

const BAD_HINT = 'send it as a plain HTTP client does: one Host, one length, no tricks';

export function refusalBody(refusal: Refusal): Buffer {
  const { code, message, layer, rule, actionId, hint } = refusal;
  return Buffer.from(
    `${JSON.stringify({ error: { code, message, layer, rule, action_id: actionId, hint } })}\n`,
  );
}

export function refusalHeaders(refusal: Refusal, bytes: number): Header[] {
  const headers: Header[] = [
    ['Content-Type', 'application/json'],
    ['Content-Length', String(bytes)],
    ['X-Sallyport-Verdict', 'deny'],
  ];
  if (refusal.status === 407) headers.push(['Proxy-Authenticate', 'Basic realm="sallyport"']);
  return headers;
}

/** Answers with the refusal; an answer that has begun is broken off instead. */
export function refuse(incoming: Incoming, refusal: Refusal): void {
  if (incoming.hasAnswered) {
    incoming.abort();
    return;
  }
  const body = refusalBody(refusal);
  incoming.head(refusal.status, refusalHeaders(refusal, body.length));
  if (incoming.method !== 'HEAD') incoming.write(body);
  incoming.end([]);
}

/** `Prefer: respond-async`: people have been asked, and the agent sends again later. */
export function answerPending(incoming: Incoming, approval: string, actionId: string): void {
  const body = Buffer.from(`${JSON.stringify({ approval_id: approval, action_id: actionId })}\n`);
  incoming.head(202, [
    ['Content-Type', 'application/json'],
    ['Content-Length', String(body.length)],
    ['Location', `/v1/approvals/${approval}`],
    ['Preference-Applied', 'respond-async'],
    ['X-Sallyport-Verdict', 'pending'],
  ]);
  if (incoming.method !== 'HEAD') incoming.write(body);
  incoming.end([]);
}
