import type { ErrorCode, EventActor, NewEvent } from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { WorkloadRecord } from '../../store/index.ts';
import type { AttachedWorker } from './attached-workers.ts';

const WINDOW_MS = 60_000;
const REFUSALS_IN_WINDOW = 120;
const NAMES_AT_MOST = 1_000;

type Identified = Pick<WorkloadRecord, 'id' | 'tenant' | 'session' | 'agent' | 'execution'>;

/** What the SEAL door writes down. A flood of refusals leaves some lines a minute of each worker, not a million. */
export class SealEvents {
  readonly #trail: AuditTrail;
  readonly #clock: Clock;
  readonly #systemTenant: string;
  /** refusals in this minute, by workload; those of nobody known count together */
  // process-local: keeps the lines of this process few
  readonly #refusals = new Map<string, number>();
  #since: number;

  constructor(trail: AuditTrail, clock: Clock, systemTenant: string) {
    this.#trail = trail;
    this.#clock = clock;
    this.#systemTenant = systemTenant;
    this.#since = clock.now();
  }

  async created(workload: Identified, by: EventActor): Promise<void> {
    await this.#trail.append({
      tenant: workload.tenant,
      type: 'SealEvent::WorkloadCreated',
      actor: by,
      data: facts(workload),
    });
  }

  async attested(workload: Identified): Promise<void> {
    await this.#trail.append({
      tenant: workload.tenant,
      type: 'SealEvent::WorkloadAttested',
      actor: actorOf(workload),
      data: facts(workload),
    });
  }

  /** The name comes from whoever asked: it goes to the chain of the gateway itself. */
  async attestationRefused(workload: string): Promise<void> {
    await this.#refusal('', {
      tenant: this.#systemTenant,
      type: 'SealEvent::AttestationRefused',
      actor: { kind: 'gateway' },
      data: { workload },
    });
  }

  /** An envelope that was not accepted. `worker` is whoever it named, which is not proof that they sent it. */
  async envelopeRefused(code: ErrorCode, reason: string, worker: AttachedWorker | undefined): Promise<void> {
    await this.#refusal(worker?.workload.id ?? '', {
      tenant: worker?.workload.tenant ?? this.#systemTenant,
      type:
        code === 'SignatureVerificationFailed'
          ? 'SealEvent::SignatureVerificationFailed'
          : 'SealEvent::EnvelopeRefused',
      actor: { kind: 'gateway' },
      data: { violation: code, reason, ...(worker === undefined ? {} : facts(worker.workload)) },
    });
  }

  /** A call of an accepted envelope that the gate refused, or a result that nobody waits for. */
  async blocked(code: ErrorCode, what: string, { workload }: AttachedWorker, action?: string): Promise<void> {
    await this.#trail.append({
      tenant: workload.tenant,
      type: 'SealEvent::PolicyViolationBlocked',
      actor: actorOf(workload),
      ...(action === undefined ? {} : { action_id: action }),
      data: { violation: code, what, ...facts(workload) },
    });
  }

  async #refusal(workload: string, event: NewEvent): Promise<void> {
    const now = this.#clock.now();
    if (now - this.#since >= WINDOW_MS || this.#refusals.size > NAMES_AT_MOST) {
      this.#since = now;
      this.#refusals.clear();
    }
    const count = (this.#refusals.get(workload) ?? 0) + 1;
    this.#refusals.set(workload, count);
    if (count <= REFUSALS_IN_WINDOW) await this.#trail.append(event);
  }
}

function actorOf({ tenant, session, agent, execution }: Identified): EventActor {
  return { kind: 'agent', tenant, agent, session, execution };
}

function facts({ id, session, execution }: Identified): Record<string, string> {
  return { workload: id, session, execution };
}
