import { randomBytes, verify } from 'node:crypto';
import {
  type Attest,
  type Attested,
  type CreatedWorkload,
  type EventActor,
  SallyportError,
} from '@sallyport/protocol';
import { actorOf } from '../../calls/index.ts';
import type { OneTime } from '../../coordination/index.ts';
import { hashToken, type SessionFacts, type Sessions } from '../../identity/index.ts';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { Clock } from '../../shared/clock.ts';
import { newId } from '../../shared/ids.ts';
import { Secret } from '../../shared/secret.ts';
import type { SealWorkloadsRepository, WorkloadRecord } from '../../store/index.ts';
import type { AttachedWorkers } from './attached-workers.ts';
import type { TimeWindow } from './envelope-check.ts';
import type { SealEvents } from './seal-events.ts';
import { publicKeyOf, type SealKey } from './seal-key.ts';
import type { SecurityTokens } from './security-tokens.ts';

const SECRET_MS = 120_000;

export interface WorkloadsParts {
  readonly repository: SealWorkloadsRepository;
  readonly sessions: Pick<Sessions, 'peek' | 'onEnded'>;
  readonly workers: AttachedWorkers;
  readonly tokens: SecurityTokens;
  readonly key: () => SealKey;
  readonly events: SealEvents;
  readonly window: TimeWindow;
  /** those of attestations with a key that is known */
  readonly proofs: OneTime;
  readonly clock: Clock;
  /** name of the security context that the config gives the agent */
  readonly scopeOf: (tenant: string, agent: string) => string | undefined;
  /** the worker of this execution is gone: its session ended, or another is to take its place */
  readonly onDetached: (execution: string) => void;
}

/** What the operator side shows once. */
export interface NewWorkload extends Omit<CreatedWorkload, 'attestation_secret'> {
  readonly secret: Secret;
}

/** Workers, from the moment somebody is about to start one until its session ends. */
export class Workloads {
  readonly #parts: WorkloadsParts;

  constructor(parts: WorkloadsParts) {
    this.#parts = parts;
  }

  /** A place for one worker in a live session. With `execution` the workers that it had so far are over. */
  async create(session: string, execution: string | undefined, by: EventActor): Promise<NewWorkload> {
    const { repository, sessions, clock, events, workers } = this.#parts;
    const facts = sessions.peek(session);
    const isKnown = execution === undefined || (await repository.hasExecution(session, execution));
    if (facts === undefined || !isKnown) {
      const what = facts === undefined ? 'live session' : 'execution of this session';
      throw new SallyportError('NotFound', { message: `there is no such ${what}` });
    }
    const now = clock.now();
    if (execution !== undefined) {
      for (const id of await repository.endOf(session, execution, now)) workers.detach(id);
      this.#parts.onDetached(execution);
    }
    const secret = new Secret(`spa_${randomBytes(32).toString('base64url')}`);
    const workload = {
      id: newId('wl', now),
      tenant: facts.tenant,
      session,
      agent: facts.agent,
      execution: execution ?? newId('exec', now),
      scope: this.#parts.scopeOf(facts.tenant, facts.agent) ?? '',
    };
    const expiresAt = now + SECRET_MS;
    await repository.removeOver(now);
    await events.created(workload, by);
    await repository.insert({ ...workload, secretHash: hashToken(secret), createdAt: now, expiresAt });
    return {
      workload_id: workload.id,
      secret,
      expires_at: new Date(expiresAt).toISOString(),
      session_id: session,
      execution_id: workload.execution,
      tenant_id: workload.tenant,
      gateway_public_key: this.#parts.key().publicText,
    };
  }

  /**
   * Takes a worker in: with its one-time secret, or with proof of the key it attested before. Throws
   * `AttestationRefused`, always with the same words. `bound`: the session that the connection belongs to.
   *
   * SECURITY: who the worker is, and what it may, comes from our record alone.
   */
  async attest(request: Attest, bound: SessionFacts | undefined): Promise<Attested> {
    const workload = await this.#proven(request);
    const session = workload === undefined ? undefined : this.#parts.sessions.peek(workload.session);
    const isForeign = bound !== undefined && bound.id !== workload?.session;
    if (workload === undefined || session === undefined || session.tenant !== workload.tenant || isForeign) {
      await this.#parts.events.attestationRefused(request.workload_id);
      throw new SallyportError('AttestationRefused');
    }
    return this.#attach(workload, session, request.public_key);
  }

  async #proven(request: Attest): Promise<WorkloadRecord | undefined> {
    const { repository, clock } = this.#parts;
    const { workload_id: id, public_key: publicKey } = request;
    // Refused before the secret is spent on it.
    publicKeyOf(publicKey);
    if (!('proof' in request))
      return repository.attest(id, hashToken(request.attestation_secret), publicKey, clock.now());
    const known = await repository.find(id);
    if (known?.publicKey === undefined) return undefined;
    const { nonce, timestamp, signature } = request.proof;
    const signed = canonicalJson({ nonce, public_key: publicKey, timestamp, workload_id: id });
    const key = publicKeyOf(known.publicKey);
    const isSigned = verify(null, Buffer.from(signed), key, Buffer.from(signature, 'base64url'));
    const isFresh = isSigned && this.#parts.window.problemWith(timestamp) === undefined;
    if (!isFresh || (await this.#parts.proofs.take(`${id} ${nonce}`)) !== 'new') return undefined;
    return repository.renew(id, known.publicKey, publicKey);
  }

  async #attach(workload: WorkloadRecord, session: SessionFacts, publicKey: string): Promise<Attested> {
    const { workers, tokens, events, sessions, onDetached } = this.#parts;
    const token = await tokens.issue(workload, session.expiresAt);
    await events.attested(workload);
    workers.attach({
      workload,
      key: publicKeyOf(publicKey),
      token,
      actor: Object.freeze({ ...actorOf(session), execution: workload.execution }),
    });
    sessions.onEnded(session.id, () => {
      if (workers.withToken(token.text) === undefined) return;
      workers.detach(workload.id);
      onDetached(workload.execution);
    });
    return {
      status: 'attested',
      security_token: token.text,
      expires_at: new Date(token.expiresAt).toISOString(),
      session_id: session.id,
    };
  }
}
