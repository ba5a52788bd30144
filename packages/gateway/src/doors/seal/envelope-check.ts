import { verify } from 'node:crypto';
import { type Envelope, EnvelopeSchema, SallyportError, SEAL_PROTOCOL } from '@sallyport/protocol';
import type { OneTime } from '../../coordination/index.ts';
import type { SessionFacts, Sessions } from '../../identity/index.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { Clock } from '../../shared/clock.ts';
import type { AttachedWorker, AttachedWorkers } from './attached-workers.ts';
import { parseSealJson } from './seal-json.ts';
import { type SecurityTokens, workloadNamedIn } from './security-tokens.ts';

export interface EnvelopeCheckParts {
  readonly workers: AttachedWorkers;
  readonly tokens: Pick<SecurityTokens, 'verify'>;
  readonly sessions: Pick<Sessions, 'peek'>;
  readonly window: TimeWindow;
  /** those of envelopes, by worker */
  readonly nonces: OneTime;
  readonly clock: Clock;
}

/** An envelope that was accepted: from its worker, now, and for the first time. */
export interface AcceptedEnvelope {
  readonly worker: AttachedWorker;
  readonly session: SessionFacts;
  readonly payload: Envelope['payload'];
}

/** Why it was refused, and what was known by then: for the answer and the trail. */
export interface RefusedEnvelope {
  readonly refusal: SallyportError;
  readonly worker?: AttachedWorker;
  readonly nonce?: string;
}

/** Signature, then token, then time and replay; policy and route come after. */
export class EnvelopeCheck {
  readonly #parts: EnvelopeCheckParts;

  constructor(parts: EnvelopeCheckParts) {
    this.#parts = parts;
  }

  /** Rejects only for what is no refusal. */
  async accept(body: Uint8Array): Promise<AcceptedEnvelope | RefusedEnvelope> {
    let envelope: Envelope | undefined;
    let worker: AttachedWorker | undefined;
    try {
      envelope = readEnvelope(parseSealJson(body));
      worker = this.#workerOf(envelope);
      const session = await this.#check(envelope, worker);
      return { worker, session, payload: envelope.payload };
    } catch (error) {
      if (!(error instanceof SallyportError) || error.code === 'Internal') throw error;
      return {
        refusal: error,
        ...(worker === undefined ? {} : { worker }),
        ...(envelope === undefined ? {} : { nonce: envelope.payload.nonce }),
      };
    }
  }

  #workerOf({ security_token: token }: Envelope): AttachedWorker {
    const { workers } = this.#parts;
    const worker = workers.withToken(token) ?? workers.of(workloadNamedIn(token) ?? '');
    if (worker === undefined) throw refusedToken('the token names no worker that has attested');
    return worker;
  }

  async #check(envelope: Envelope, worker: AttachedWorker): Promise<SessionFacts> {
    const { payload, security_token: token, timestamp, signature } = envelope;
    const { nonces, window } = this.#parts;
    const signed = Buffer.from(canonicalJson({ payload, security_token: token, timestamp }));
    // SECURITY: the one line that says from whom it comes [TO-6].
    if (!verify(null, signed, worker.key, Buffer.from(signature, 'base64url')))
      throw new SallyportError('SignatureVerificationFailed');

    await this.#checkToken(token, worker);
    const session = this.#parts.sessions.peek(worker.workload.session);
    if (session === undefined || session.tenant !== worker.workload.tenant)
      throw refusedToken('the session of the worker is over');

    const late = window.problemWith(timestamp);
    if (late !== undefined) throw new SallyportError('EnvelopeExpired', { message: late });
    const taking = nonces.take(payload.nonce, worker.workload.id);
    // SECURITY: a failure to look is thrown, so the envelope is refused.
    const seen = taking instanceof Promise ? await taking : taking;
    if (seen === 'seen') throw new SallyportError('EnvelopeReplayed');
    if (seen === 'full')
      throw new SallyportError('TooManyRequests', { message: 'too many envelopes in a minute' });
    return session;
  }

  /** A token that was issued to this worker was verified then; only its time can have run out. */
  async #checkToken(text: string, { token }: AttachedWorker): Promise<void> {
    if (text === token.text && this.#parts.clock.now() < token.expiresAt) return;
    await this.#parts.tokens.verify(text);
    // We made it, but not for the worker as it is attached now.
    throw refusedToken('the token is not the one of the last attestation');
  }
}

function readEnvelope(value: unknown): Envelope {
  const protocol =
    typeof value === 'object' && value !== null && 'protocol' in value ? value.protocol : undefined;
  if (typeof protocol === 'string' && protocol !== SEAL_PROTOCOL) {
    throw new SallyportError('ProtocolNotSupported', {
      message: `the protocol \`${protocol.slice(0, 40)}\` is not spoken here`,
    });
  }
  // SECURITY: a field beside these is not covered by the signature, so there may be none.
  const parsed = EnvelopeSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue?.path.join('.') ?? '';
    throw new SallyportError('EnvelopeMalformed', {
      message: `the envelope is not complete or has more than it may${where === '' ? '' : `: look at \`${where}\``}`,
    });
  }
  return parsed.data;
}

function refusedToken(message: string): SallyportError {
  return new SallyportError('SecurityTokenRefused', { message });
}

const SKEW_MS = 30_000;

/** Which times an envelope may carry: half a minute around now, and after this process began. */
export class TimeWindow {
  readonly #clock: Clock;
  readonly #boot: number;

  constructor(clock: Clock, boot: number) {
    this.#clock = clock;
    this.#boot = boot;
  }

  /** Why this time is not accepted; undefined when it is. */
  problemWith(timestamp: string): string | undefined {
    const at = Date.parse(timestamp);
    const away = at - this.#clock.now();
    if (!(Math.abs(away) <= SKEW_MS)) {
      return `the envelope is ${Math.round(Math.abs(away) / 1000)} s ${away < 0 ? 'old' : 'ahead'}, and 30 s are allowed`;
    }
    // SECURITY: nonces of before are forgotten, so nothing of before is accepted [TO-6].
    return at <= this.#boot ? 'the envelope is from before the gateway started' : undefined;
  }
}
