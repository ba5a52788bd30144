import type { Readable } from 'node:stream';
import { SallyportError } from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import {
  type BodyRewriter,
  type Broker,
  type Loan,
  ScrubPlan,
  ScrubStream,
} from '../../credentials/index.ts';
import type { Egress, UpgradeOutcome } from '../../egress/index.ts';
import { toEventActor } from '../../identity/index.ts';
import type {
  OutgoingExchange,
  OutgoingRequest,
  ResponseHead,
  ResponseSink,
} from '../../shared/http-message.ts';
import { Secret } from '../../shared/secret.ts';
import { requestOf } from '../../targets/index.ts';
import { BodyRoom, BufferedExchange } from './buffered-exchange.ts';
import { codingsOf } from './content-decoder.ts';
import { CookieJars } from './cookie-jars.ts';
import { DeferredExchange } from './deferred-exchange.ts';
import { type HttpJob, takePermit } from './http-job.ts';
import { prepareLentRequest } from './lent-request.ts';
import { Line } from './line.ts';
import { RewrittenExchange } from './rewritten-exchange.ts';
import { scrubDuplex } from './scrub-duplex.ts';
import { ScrubbingSink, ScrubPlans, unreadable } from './scrubbing-sink.ts';

/** What became of a request to change the protocol. */
export type Upgraded =
  | { readonly kind: 'switched'; readonly head: ResponseHead; readonly line: Line }
  | { readonly kind: 'answered'; readonly head: ResponseHead; readonly body: Readable };

export interface HttpExecutorParts {
  readonly egress: Pick<Egress, 'exchange' | 'connect' | 'connectHere' | 'upgrade'>;
  readonly broker: Pick<Broker, 'lend'>;
  readonly trail: Pick<AuditTrail, 'note'>;
  /** Calls the listener once when the session is over. */
  readonly onSessionEnded: (session: string, listener: () => void) => void;
}

/**
 * Carries out what the gate allowed: lends the credential, sends the request, and takes out of the answer what was
 * lent.
 *
 * Contract:
 * - Every method throws `NotAdmitted` before it does anything, unless the job holds the gate's own verdict on this
 *   very request; each verdict is good for one call.
 * - Whatever fails after that is told to the sink (or rejects) as a `SallyportError`; nothing is half-sent.
 */
export class HttpExecutor {
  readonly #parts: HttpExecutorParts;
  readonly #jars = new CookieJars();
  readonly #plans = new ScrubPlans();
  readonly #room = new BodyRoom(SIGNED_BYTES);
  // process-local: which sessions this process listens to
  readonly #sessions = new Set<string>();

  constructor(parts: HttpExecutorParts) {
    this.#parts = parts;
  }

  send(job: HttpJob, sink: ResponseSink): OutgoingExchange {
    takePermit(job);
    const { request, credential } = job;
    if (credential === undefined) return this.#parts.egress.exchange(request, sink, job);
    let loan: Loan | Promise<Loan>;
    try {
      loan = this.#lend(job, credential);
    } catch (error) {
      loan = Promise.reject(asError(error));
    }
    if (!(loan instanceof Promise) && !loan.needsWholeBody(request)) {
      const applied = this.#apply(job, loan);
      if (!(applied instanceof Promise)) return this.#exchange(job, sink, loan, applied);
      return this.#later(sink, async () => this.#exchange(job, sink, loan, await applied));
    }
    return this.#later(sink, async () => {
      const ready = await loan;
      if (ready.needsWholeBody(request)) return this.#whole(job, sink, ready);
      return this.#exchange(job, sink, ready, await this.#apply(job, ready));
    });
  }

  /** Opens a tunnel that is not looked into, or a forward of a run. Nothing is lent there. */
  async connect(job: HttpJob): Promise<Line> {
    takePermit(job);
    if (job.credential !== undefined) throw new SallyportError('NotAdmitted');
    const { action, request, signal } = job;
    // SECURITY: what was judged says whether it leads to this machine, not whoever asks for it [GA-1].
    const isForward = requestOf(action.target)?.forward === true;
    const { egress } = this.#parts;
    return new Line(
      await (isForward ? egress.connectHere(request, { signal }) : egress.connect(request, { signal })),
    );
  }

  /** Switches protocols (WebSocket). What upstream sends is scrubbed like any body. */
  async upgrade(job: HttpJob, protocol: string): Promise<Upgraded> {
    takePermit(job);
    const { request, signal, credential } = job;
    if (credential === undefined)
      return upgraded(await this.#parts.egress.upgrade(request, protocol, { signal }));
    const loan = await this.#lend(job, credential);
    // A server that does not switch answers like any other; that answer is scrubbed as it comes.
    request.headers = request.headers.filter(([name]) => name.toLowerCase() !== 'accept-encoding');
    await this.#apply(job, loan);
    const plan = this.#planFor(job, loan);
    const answer = await this.#parts.egress.upgrade(request, protocol, { signal });
    if (isVeiled(answer)) {
      // SECURITY: neither a packed answer nor packed frames can be looked into as they come.
      (answer.kind === 'switched' ? answer.socket : answer.body).destroy();
      throw unreadable();
    }
    const headers = answer.head.headers
      .filter(([name]) => name.toLowerCase() !== 'set-cookie')
      .map(([name, value]) => [plan.text(name), plan.text(value)] as const);
    const head = { status: answer.head.status, headers };
    const done = (hits: number): void => this.#scrubbed(job, hits);
    return answer.kind === 'switched'
      ? upgraded({ kind: 'switched', head, socket: scrubDuplex(answer.socket, new ScrubStream(plan), done) })
      : upgraded({ kind: 'answered', head, body: scrubDuplex(answer.body, new ScrubStream(plan), done) });
  }

  #lend({ action, request, session, signal, inject }: HttpJob, name: string): Loan | Promise<Loan> {
    this.#watch(session.id);
    return this.#parts.broker.lend({
      tenant: request.tenant,
      name,
      host: request.host,
      session: session.id,
      actor: toEventActor(session),
      actionId: action.id,
      signal,
      inject,
    });
  }

  /** The value enters the request here, and nothing of the agent's comes after. */
  #apply(job: HttpJob, loan: Loan): BodyRewriter | undefined | Promise<BodyRewriter | undefined> {
    const { action, request, session, replacePlaceholders } = job;
    const cookies = this.#jars.headerFor(ownerOf(job, loan), request, request.target);
    prepareLentRequest(request, cookies, loan.isSigned);
    job.record.add({
      tenant: request.tenant,
      type: 'ProxyEvent::CredentialInjected',
      actor: toEventActor(session),
      action_id: action.id,
      data: { credential: loan.credential, host: request.host },
    });
    replacePlaceholders?.(request, loan);
    const isInPlace = job.onlyPlaceholders === true && loan.placeholderValue !== undefined;
    return isInPlace ? undefined : loan.apply(request);
  }

  #exchange(
    job: HttpJob,
    sink: ResponseSink,
    loan: Loan,
    rewriter: BodyRewriter | undefined,
  ): OutgoingExchange {
    const request = rewriter === undefined ? job.request : resized(job.request, rewriter);
    const scrubbing = new ScrubbingSink(this.#planFor(job, loan), sink, {
      keepCookie: (value) => this.#jars.keep(ownerOf(job, loan), request, request.target, value),
      onDone: (hits) => this.#scrubbed(job, hits),
    });
    const exchange = scrubbing.attach(this.#parts.egress.exchange(request, scrubbing, job));
    return rewriter === undefined
      ? exchange
      : new RewrittenExchange(exchange, rewriter, (error) => scrubbing.onError(asError(error)));
  }

  /** An exchange that begins when the credential is there; what fails until then is told to the sink. */
  #later(sink: ResponseSink, begin: () => Promise<OutgoingExchange>): OutgoingExchange {
    const deferred = new DeferredExchange();
    begin().then(
      (exchange) => deferred.begin(exchange, () => sink.onDrain()),
      (error: unknown) => {
        if (!deferred.isAborted) sink.onError(asError(error));
        deferred.abort();
      },
    );
    return deferred;
  }

  /** What is signed as a whole is read as a whole first. */
  #whole(job: HttpJob, sink: ResponseSink, loan: Loan): OutgoingExchange {
    return new BufferedExchange(
      sink,
      async (body) => {
        const request: OutgoingRequest = {
          ...job.request,
          body,
          isStreamed: false,
          streamedBytes: undefined,
        };
        const ready = { ...job, request };
        return this.#exchange(ready, sink, loan, await this.#apply(ready, loan));
      },
      this.#room,
    );
  }

  #planFor(job: HttpJob, loan: Loan): ScrubPlan {
    const cookies = job.request.headers.find(([name]) => name === 'cookie')?.[1] ?? '';
    if (cookies === '') return this.#plans.planFor(loan.values());
    // A cookie that stays on our side was lent too.
    const lent = cookies.split('; ').map((pair) => new Secret(pair.slice(pair.indexOf('=') + 1)));
    return new ScrubPlan([...loan.values(), ...lent]);
  }

  #scrubbed(job: HttpJob, hits: number): void {
    if (hits === 0) return;
    const { action, request, session, credential } = job;
    this.#parts.trail.note({
      tenant: request.tenant,
      type: 'ProxyEvent::ResponseScrubbed',
      actor: toEventActor(session),
      action_id: action.id,
      data: { credential: credential ?? null, host: request.host, hits },
    });
  }

  #watch(session: string): void {
    if (this.#sessions.has(session)) return;
    this.#sessions.add(session);
    this.#parts.onSessionEnded(session, () => {
      this.#sessions.delete(session);
      this.#jars.forget(session);
    });
  }
}

/** What must be signed as a whole is held in memory; more than this is refused. */
const SIGNED_BYTES = { each: 16 * 1024 * 1024, all: 256 * 1024 * 1024 };

function upgraded(answer: UpgradeOutcome): Upgraded {
  if (answer.kind === 'answered') return answer;
  return { kind: 'switched', head: answer.head, line: new Line(answer.socket) };
}

/** Whether the answer to an upgrade is packed, or what is to follow it will be. */
function isVeiled({ kind, head }: UpgradeOutcome): boolean {
  if (kind === 'answered') return codingsOf(head.headers).length > 0;
  return head.headers.some(([name]) => name.toLowerCase() === 'sec-websocket-extensions');
}

function ownerOf({ session }: HttpJob, loan: Loan): { session: string; credential: string } {
  return { session: session.id, credential: loan.credential };
}

function resized(request: OutgoingRequest, { bytes }: BodyRewriter): OutgoingRequest {
  return { ...request, streamedBytes: bytes };
}

function asError(error: unknown): Error {
  return error instanceof SallyportError
    ? error
    : new SallyportError('CredentialUnavailable', { cause: error });
}
