import type { Action, JsonObject, NewEvent } from '@sallyport/protocol';
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

  allowed(outcome: Outcome): void {
    const { session, action, credential, sha256, ms, error } = outcome;
    const { target } = action;
    this.#note({
      tenant: session.tenant,
      type: 'ProxyEvent::RequestAllowed',
      actor: toEventActor(session),
      action_id: action.id,
      data: {
        verdict: 'allow',
        ...(target.kind === 'http' ? { host: target.host, method: target.method } : {}),
        credential: credential ?? null,
        status: outcome.status,
        request_bytes: outcome.requestBytes,
        response_bytes: outcome.responseBytes,
        ...(sha256 === undefined ? {} : { request_sha256: sha256 }),
        ms: { verdict: ms.verdict, head: ms.head, total: ms.total },
        ...(error === undefined ? {} : { error }),
      },
    });
  }

  #note(event: NewEvent): void {
    try {
      this.#parts.trail.note(event);
    } catch (error) {
      // The verdict is in the trail already; what the trail cannot take now, the gate refuses from now on.
      this.#parts.log.warn({ err: error }, 'an outcome could not be recorded');
    }
  }
}
