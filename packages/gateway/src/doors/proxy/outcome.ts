import type { Action, EventDetail, Json, JsonObject, NewEvent } from '@sallyport/protocol';
import type { BodyTee, HeldNote } from '../../audit/index.ts';
import { type SessionFacts, toEventActor } from '../../identity/index.ts';
import { EventBudget } from './event-budget.ts';
import type { ProxyParts } from './proxy-parts.ts';

/** Events about requests of whoever has no session. */
const STRANGERS = { atOnce: 1_000, aSecond: 10 };

/** What was refused before there was an action to judge. */
export interface Blocked {
  readonly session: SessionFacts | undefined;
  readonly code: string;
  /** stable word: `host-mismatch`, `no-session` */
  readonly reason: string;
  readonly host?: string | undefined;
  readonly method?: string | undefined;
  readonly extra?: JsonObject | undefined;
}

/** How a request that was allowed ended. */
export interface Outcome {
  readonly session: SessionFacts;
  readonly action: Action;
  readonly credential: string | undefined;
  /** what the agent was answered; 0 when it left before */
  readonly status: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** of a body that was streamed */
  readonly sha256: string | undefined;
  /** ms from the head of the request to the verdict, the head of the answer, and the end */
  readonly ms: { readonly verdict: number; readonly head: number; readonly total: number };
  /** code of what went wrong after the verdict */
  readonly error?: string | undefined;
  /** the event of the verdict: the outcome becomes part of it */
  readonly held?: HeldNote | undefined;
  /** both bodies as they passed by, where the trail keeps them */
  readonly sent?: BodyTee | undefined;
  readonly answered?: BodyTee | undefined;
}

/** The one event of each request at this door. */
export class OutcomeRecorder {
  readonly #parts: Pick<ProxyParts, 'trail' | 'log' | 'systemTenant'>;

  readonly #strangers: EventBudget;

  constructor(parts: Pick<ProxyParts, 'trail' | 'log' | 'systemTenant' | 'clock'>) {
    this.#parts = parts;
    this.#strangers = new EventBudget(parts.clock, STRANGERS);
  }

  blocked({ session, code, reason, host, method, extra }: Blocked): void {
    // Whoever reaches the port without a session must not be able to fill the trail.
    const unnamed = session === undefined ? this.#strangers.count() : 0;
    if (unnamed === undefined) return;
    this.#note({
      tenant: session?.tenant ?? this.#parts.systemTenant,
      type: 'ProxyEvent::RequestBlocked',
      actor: session === undefined ? { kind: 'agent' } : toEventActor(session),
      data: {
        code,
        reason,
        ...(host === undefined ? {} : { host }),
        ...(method === undefined ? {} : { method }),
        ...extra,
        ...(unnamed === 0 ? {} : { not_recorded: unnamed }),
      },
    });
  }

  /** One event with the verdict, or one of its own when that is on its way to disk already. */
  allowed(outcome: Outcome): void {
    const { session, action, credential, sha256, ms, error, held } = outcome;
    const { target } = action;
    // Member by member, not by spreading: this runs for every request.
    const data: { [key: string]: Json } = { verdict: 'allow' };
    if (target.kind === 'http') {
      data.host = target.host;
      data.method = target.method;
    }
    data.credential = credential ?? null;
    data.status = outcome.status;
    data.request_bytes = outcome.requestBytes;
    data.response_bytes = outcome.responseBytes;
    if (sha256 !== undefined) data.request_sha256 = sha256;
    data.ms = { verdict: ms.verdict, head: ms.head, total: ms.total };
    if (error !== undefined) data.error = error;
    const event: NewEvent = {
      tenant: session.tenant,
      type: 'ProxyEvent::RequestAllowed',
      actor: toEventActor(session),
      action_id: action.id,
      data,
    };
    const { level } = this.#parts.trail;
    const isPlain = level === undefined || level === 'metadata';
    this.#note(isPlain ? event : { ...event, detail: detailOf(outcome) }, held);
  }

  #note(event: NewEvent, held?: HeldNote): void {
    try {
      if (held === undefined) this.#parts.trail.note(event);
      else held.settle(event);
    } catch (error) {
      // The verdict is in the trail already; what the trail cannot take now, the gate refuses from now on.
      this.#parts.log.warn({ err: error }, 'an outcome could not be recorded');
    }
  }
}

function detailOf({ status, sent, answered }: Outcome): EventDetail {
  const [request, response] = [sent?.body(), answered?.body()];
  return {
    status,
    ...(request === undefined ? {} : { request_body: request }),
    ...(response === undefined ? {} : { response_body: response }),
  };
}
