import {
  type DispatchOrder,
  type DispatchResultMessage,
  type ErrorCode,
  type GatewayAnswer,
  type JsonObject,
  SallyportError,
  type SignedAnswer,
  type WorkerMessage,
  WorkerMessageSchema,
} from '@sallyport/protocol';
import type { CallRefusal, ToolCalls, ToolOutcome } from '../../calls/index.ts';
import { type CommandPath, plainResult } from '../../executors/index.ts';
import type { SessionFacts, Sessions } from '../../identity/index.ts';
import { assertNever } from '../../shared/assert-never.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AcceptedEnvelope, EnvelopeCheck, RefusedEnvelope } from './envelope-check.ts';
import type { SealEvents } from './seal-events.ts';
import { type SealKey, signAnswer } from './seal-key.ts';

export interface SealDoorParts {
  readonly check: EnvelopeCheck;
  readonly calls: Pick<ToolCalls, 'call'>;
  readonly commands: Pick<CommandPath, 'settle'>;
  readonly sessions: Pick<Sessions, 'signalOf'>;
  readonly events: SealEvents;
  readonly key: () => SealKey;
  readonly clock: Clock;
}

/** The connection that an envelope came on. */
export interface SealConnection {
  /** the session that the connection itself belongs to: one jail's socket */
  readonly bound: SessionFacts | undefined;
  /** aborts when the caller leaves */
  readonly left: AbortSignal;
}

export interface SealAnswer {
  readonly status: number;
  readonly body: SignedAnswer;
}

type Answer = GatewayAnswer extends infer Each
  ? Each extends unknown
    ? Omit<Each, 'in_reply_to'>
    : never
  : never;

/** A command that a worker was told to run, and the call that waits for it. */
interface UnderWay {
  readonly outcome: Promise<ToolOutcome>;
}

/** Takes envelopes, and nothing else; every answer is signed, refusals too. */
export class SealDoor {
  readonly #parts: SealDoorParts;
  // process-local: calls under way in this process, for a worker that attested to it
  readonly #underWay = new Map<string, UnderWay>();

  constructor(parts: SealDoorParts) {
    this.#parts = parts;
  }

  async take(body: Uint8Array, connection: SealConnection): Promise<SealAnswer> {
    const envelope = await this.#parts.check.accept(body);
    if ('refusal' in envelope) return this.#refused(envelope);
    const { worker, session, payload } = envelope;
    try {
      // SECURITY: who is in one session's jail speaks for no other, whatever key was found there.
      if (connection.bound !== undefined && connection.bound.id !== session.id)
        throw new SallyportError('SecurityTokenRefused', { message: 'the token is of another session' });
      return await this.#handle(envelope, connection);
    } catch (error) {
      if (!(error instanceof SallyportError) || error.code === 'Internal') throw error;
      return this.#refused({ refusal: error, worker, nonce: payload.nonce });
    }
  }

  async #refused({ refusal, worker, nonce }: RefusedEnvelope): Promise<SealAnswer> {
    await this.#parts.events.envelopeRefused(refusal.code, refusal.message, worker);
    return this.refuse(refusal, nonce);
  }

  /** A refusal in the form of an answer; for what did not even arrive whole, too. */
  refuse(error: SallyportError, nonce?: string): SealAnswer {
    const { code, message, hint } = error;
    return this.#answer(refused({ code, message, ...(hint === undefined ? {} : { hint }) }), nonce ?? null);
  }

  async #handle(envelope: AcceptedEnvelope, connection: SealConnection): Promise<SealAnswer> {
    const { nonce } = envelope.payload;
    const message = readMessage(envelope.payload);
    switch (message.type) {
      case 'tool_call':
        return this.#answer(await this.#call(message, envelope, connection), nonce);
      case 'dispatch_result':
        return this.#answer(await this.#settle(message, envelope), nonce);
      case 'generate':
        throw new SallyportError('Unprocessable', {
          message: 'this gateway runs no loops yet',
          hint: 'run the loop beside the worker, and send `tool_call`',
        });
      default:
        return assertNever(message);
    }
  }

  async #call(
    { tool, arguments: input }: WorkerMessage & { readonly type: 'tool_call' },
    { worker, session }: AcceptedEnvelope,
    { left }: SealConnection,
  ): Promise<Answer> {
    const { calls, sessions } = this.#parts;
    const ended = sessions.signalOf(session.id);
    const call = new AbortController();
    const leave = (): void => call.abort();
    for (const signal of [ended, left]) {
      signal.addEventListener('abort', leave, { once: true });
      if (signal.aborted) leave();
    }
    const ordered = Promise.withResolvers<DispatchOrder>();
    const outcome = calls
      .call({
        ...{ door: 'seal', actor: worker.actor, tool, signal: call.signal },
        // `as`: the schema says JSON; only its arrays and objects are not readonly.
        input: input as JsonObject,
        // SECURITY: a function that only this call has, so that nothing a tool says can become an order.
        extras: { onOrder: ordered.resolve },
      })
      .finally(() => ended.removeEventListener('abort', leave));
    const first = await Promise.race([ordered.promise, outcome]);
    // From here on the call waits for a result, not for this connection.
    left.removeEventListener('abort', leave);
    if ('kind' in first) return this.#outcomeAnswer(first, { worker });
    const { dispatch_id: id } = first;
    this.#underWay.set(id, { outcome });
    outcome.finally(() => this.#underWay.delete(id)).catch(() => {});
    return { type: 'dispatch', ...first };
  }

  async #settle(result: DispatchResultMessage, { worker }: AcceptedEnvelope): Promise<Answer> {
    const waiting = this.#underWay.get(result.dispatch_id);
    try {
      this.#parts.commands.settle(worker.workload.execution, result);
    } catch (error) {
      if (!(error instanceof SallyportError)) throw error;
      await this.#parts.events.blocked(error.code, 'dispatch_result', worker);
      const { code, message, hint } = error;
      return refused({ code, message, ...(hint === undefined ? {} : { hint }) });
    }
    if (waiting === undefined) throw new Error('a command that nobody called');
    return this.#outcomeAnswer(await waiting.outcome, { worker });
  }

  async #outcomeAnswer(outcome: ToolOutcome, { worker }: Pick<AcceptedEnvelope, 'worker'>): Promise<Answer> {
    if (outcome.kind !== 'done') {
      const { refusal, action } = outcome;
      if (outcome.kind === 'refused')
        await this.#parts.events.blocked(refusal.code, action.tool, worker, action.id);
      return refused(refusal);
    }
    return { type: 'tool_result', ...plainResult(outcome.result) };
  }

  #answer(answer: Answer, nonce: string | null): SealAnswer {
    const { key, clock } = this.#parts;
    const payload: GatewayAnswer = { ...answer, in_reply_to: nonce };
    return { status: statusOf(payload), body: signAnswer(payload, key(), clock) };
  }
}

const NOT_AN_ENVELOPE: ReadonlySet<string> = new Set<ErrorCode>([
  'EnvelopeMalformed',
  'ProtocolNotSupported',
]);

function statusOf(answer: GatewayAnswer): number {
  if (answer.type !== 'refused') return 200;
  if (answer.violation === 'PayloadTooLarge') return 413;
  return NOT_AN_ENVELOPE.has(answer.violation) ? 400 : 403;
}

function refused({ code, message, hint, approval }: Omit<CallRefusal, 'actionId'>): Answer {
  return {
    type: 'refused',
    violation: code,
    message,
    ...(hint === undefined ? {} : { hint }),
    ...(approval === undefined ? {} : { approval_id: approval }),
  };
}

function readMessage(payload: AcceptedEnvelope['payload']): WorkerMessage {
  const parsed = WorkerMessageSchema.safeParse(payload);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SallyportError('EnvelopeMalformed', {
    message: `the payload is no message that is known: look at \`${issue?.path.join('.') ?? 'type'}\``,
  });
}
