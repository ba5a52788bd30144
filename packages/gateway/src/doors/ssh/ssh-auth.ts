import type { JsonObject } from '@sallyport/protocol';
import type { Codes } from '../../coordination/index.ts';
import { type AttemptLimit, AttemptLimiter, attemptSpace, type SessionFacts } from '../../identity/index.ts';
import type { AgentServices } from '../../servers/index.ts';
import type { AuthAttempt } from './ssh-server.ts';

/** Wrong passwords and keys of one address in one minute. */
const PER_ADDRESS: AttemptLimit = { failures: 60, windowMs: 60_000, maxKeys: 10_000 };
/** Keys that were registered and whose signature was wrong, by session. */
const PER_SESSION: AttemptLimit = { failures: 20, windowMs: 60_000, maxKeys: 10_000 };

interface KeyOwner extends JsonObject {
  readonly session: string;
}

type Parts = Pick<AgentServices, 'sessions' | 'coordination' | 'clock'>;

/** Who is at the other end: the session whose token is the password, or that the key was registered for. */
export class SshAuth {
  readonly #sessions: Parts['sessions'];
  readonly #keys: Codes<KeyOwner>;
  readonly #byAddress: AttemptLimiter;
  readonly #bySession: AttemptLimiter;

  constructor({ sessions, coordination, clock }: Parts) {
    this.#sessions = sessions;
    this.#keys = coordination.codes<KeyOwner>({
      ...{ name: 'doors.ssh.keys', ms: 24 * 3_600_000, most: 10_000, whenFull: 'forget-oldest' },
    });
    const limiter = (name: string, limit: AttemptLimit) =>
      new AttemptLimiter(limit, clock, coordination.counters(attemptSpace(name, limit)));
    this.#byAddress = limiter('doors.ssh.address', PER_ADDRESS);
    this.#bySession = limiter('doors.ssh.session', PER_SESSION);
  }

  /** From now on this key is the session's, as long as that lives. */
  async register(blob: Buffer, session: SessionFacts): Promise<void> {
    await this.#keys.keep(blob.toString('base64'), { session: session.id });
  }

  /** Whether so many attempts of this address failed that it is not heard for a while. */
  async isExhausted(address: string): Promise<boolean> {
    return this.#byAddress.isExhausted(address);
  }

  /**
   * The session; undefined for everything that proves none. Costs the address one attempt then, unless it only asked which
   * keys are known.
   */
  async authenticate(attempt: AuthAttempt, address: string): Promise<SessionFacts | undefined> {
    if (attempt.kind === 'none') return undefined;
    if (await this.#byAddress.isExhausted(address)) return undefined;
    if (attempt.kind === 'wrong-signature') {
      await this.#wrongSignature(attempt.blob, address);
      return undefined;
    }
    const session =
      attempt.kind === 'password' ? await this.#byToken(attempt.password) : await this.#byKey(attempt.blob);
    const isQuestion = attempt.kind === 'publickey' && !attempt.isProven;
    if (session === undefined && !isQuestion) await this.#byAddress.fail(address);
    return session;
  }

  async #byToken(token: string): Promise<SessionFacts | undefined> {
    // A dead session and a wrong token are told apart nowhere.
    return this.#sessions.authenticate(token).catch(() => undefined);
  }

  async #byKey(blob: Buffer): Promise<SessionFacts | undefined> {
    const owner = await this.#keys.peek(blob.toString('base64'));
    if (owner === undefined || (await this.#bySession.isExhausted(owner.session))) return undefined;
    // SECURITY: a key is worth as much as its session, and no longer [ID-3].
    const session = this.#sessions.peek(owner.session);
    return session === undefined || this.#sessions.signalOf(session.id).aborted ? undefined : session;
  }

  async #wrongSignature(blob: Buffer, address: string): Promise<void> {
    await this.#byAddress.fail(address);
    const owner = await this.#keys.peek(blob.toString('base64'));
    if (owner !== undefined) await this.#bySession.fail(owner.session);
  }
}
