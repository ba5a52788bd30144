import type { Action, AuditLevel, EventDetail, Json, JsonObject, NewEvent } from '@sallyport/protocol';
import type { AuditTrail, BodyTee, Logger } from '../../audit/index.ts';
import { type SessionFacts, toEventActor } from '../../identity/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { requestOf } from '../../targets/index.ts';
import { EventBudget } from './event-budget.ts';

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

export interface BlockedRequestsParts {
  readonly trail: Pick<AuditTrail, 'note'>;
  readonly log: Pick<Logger, 'warn'>;
  readonly clock: Clock;
  /** chain of the trail for what no session is known of */
  readonly systemTenant: string;
}

/** Records what this door refused by itself. */
export class BlockedRequests {
  readonly #parts: BlockedRequestsParts;
  readonly #strangers: EventBudget;

  constructor(parts: BlockedRequestsParts) {
    this.#parts = parts;
    this.#strangers = new EventBudget(parts.clock, STRANGERS);
  }

  record({ session, code, reason, host, method, extra }: Blocked): void {
    const { trail, log, systemTenant } = this.#parts;
    // Whoever reaches the port without a session must not be able to fill the trail.
    const unnamed = session === undefined ? this.#strangers.count() : 0;
    if (unnamed === undefined) return;
    try {
      trail.note({
        tenant: session?.tenant ?? systemTenant,
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
    } catch (error) {
      log.warn({ err: error }, 'a refusal could not be recorded');
    }
  }
}

/** How a request that was allowed ended. */
export interface RequestEnd {
  readonly session: SessionFacts;
  readonly action: Action;
  readonly credential: string | undefined;
  /** what the agent was answered; 0 when it left before */
  readonly status: number;
  readonly requestBytes: number;
  readonly responseBytes: number;
  /** of a body that was streamed */
  readonly sha256: string | undefined;
  /** from the head of the request, in ms as `performance.now` counts them */
  readonly startedAt: number;
  readonly verdictAt: number;
  /** 0: no head of an answer came */
  readonly headAt: number;
  /** code of what went wrong after the verdict */
  readonly error: string | undefined;
  /** both bodies as they passed by, where the trail keeps them */
  readonly sent?: BodyTee | undefined;
  readonly answered?: BodyTee | undefined;
}

/** The one event of an allowed request. */
export function allowedEvent(end: RequestEnd, level: AuditLevel | undefined): NewEvent {
  const { session, action, credential, sha256, error, startedAt } = end;
  const judged = requestOf(action.target);
  // Member by member, not by spreading: this runs for every request.
  const data: { [key: string]: Json } = { verdict: 'allow' };
  if (judged !== undefined) {
    data.host = judged.host;
    data.method = judged.method;
  }
  data.credential = credential ?? null;
  data.status = end.status;
  data.request_bytes = end.requestBytes;
  data.response_bytes = end.responseBytes;
  if (sha256 !== undefined) data.request_sha256 = sha256;
  data.ms = {
    verdict: rounded(end.verdictAt - startedAt),
    head: end.headAt === 0 ? 0 : rounded(end.headAt - startedAt),
    total: rounded(performance.now() - startedAt),
  };
  if (error !== undefined) data.error = error;
  const event: NewEvent = {
    tenant: session.tenant,
    type: 'ProxyEvent::RequestAllowed',
    actor: toEventActor(session),
    action_id: action.id,
    data,
  };
  return level === undefined || level === 'metadata' ? event : { ...event, detail: detailOf(end) };
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}

function detailOf({ status, sent, answered }: RequestEnd): EventDetail {
  const [request, response] = [sent?.body(), answered?.body()];
  return {
    status,
    ...(request === undefined ? {} : { request_body: request }),
    ...(response === undefined ? {} : { response_body: response }),
  };
}
