import {
  type Attest,
  type Attested,
  AttestSchema,
  type EventActor,
  SallyportError,
} from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { ToolCalls } from '../../calls/index.ts';
import type { Coordination } from '../../coordination/index.ts';
import type { CommandPath } from '../../executors/index.ts';
import type { Sessions } from '../../identity/index.ts';
import type { Clock } from '../../shared/clock.ts';
import type { SealWorkloadsRepository } from '../../store/index.ts';
import { AttachedWorkers } from './attached-workers.ts';
import { EnvelopeCheck, TimeWindow } from './envelope-check.ts';
import { type SealAnswer, type SealConnection, SealDoor } from './seal-door.ts';
import { SealEvents } from './seal-events.ts';
import { parseSealJson } from './seal-json.ts';
import { loadSealKey, type SealKey } from './seal-key.ts';
import { SecurityTokens } from './security-tokens.ts';
import { type NewWorkload, Workloads } from './workloads.ts';

/** Longer than an envelope can be valid: it may come from 30 s ahead, and is taken until 30 s after. */
const NONCE_MS = 61_000;
const NONCES_AT_MOST = 65_536;

export interface SealParts {
  /** `seal.key` in the home; made when the first worker is announced */
  readonly keyFile: string;
  readonly repository: SealWorkloadsRepository;
  readonly trail: AuditTrail;
  readonly sessions: Pick<Sessions, 'peek' | 'onEnded' | 'signalOf'>;
  readonly calls: Pick<ToolCalls, 'call'>;
  readonly commands: Pick<CommandPath, 'settle' | 'lose'>;
  readonly coordination: Pick<Coordination, 'oneTime'>;
  readonly clock: Clock;
  /** when this process began, in ms since epoch: nothing that was signed before is accepted */
  readonly boot: number;
  /** name of the security context that the config gives the agent */
  readonly scopeOf: (tenant: string, agent: string) => string | undefined;
  readonly systemTenant: string;
}

/** The SEAL door, as its routes need it. */
export interface Seal {
  /** for the operator side: a place for one worker, with its one-time secret */
  createWorkload(session: string, execution: string | undefined, by: EventActor): Promise<NewWorkload>;
  attest(body: Uint8Array, connection: Pick<SealConnection, 'bound'>): Promise<Attested>;
  take(body: Uint8Array, connection: SealConnection): Promise<SealAnswer>;
  /** A signed refusal of what did not even arrive whole. */
  unread(error: SallyportError): Promise<SealAnswer>;
}

export function openSeal(parts: SealParts): Seal {
  const { repository, trail, sessions, commands, coordination, clock } = parts;
  const namesIn = (name: string) => coordination.oneTime({ name, ms: NONCE_MS, most: NONCES_AT_MOST });
  let loaded: SealKey | undefined;
  const key = (): SealKey => {
    loaded ??= loadSealKey(parts.keyFile);
    return loaded;
  };
  const workers = new AttachedWorkers();
  const window = new TimeWindow(clock, parts.boot);
  const tokens = new SecurityTokens(key, clock);
  const events = new SealEvents(trail, clock, parts.systemTenant);
  const workloads = new Workloads({
    ...{ sessions, workers, tokens, key, events, window, clock },
    repository,
    proofs: namesIn('seal.proof'),
    scopeOf: parts.scopeOf,
    onDetached: (execution) => commands.lose(execution),
  });
  const nonces = namesIn('seal.nonce');
  const check = new EnvelopeCheck({ workers, tokens, sessions, window, nonces, clock });
  const door = new SealDoor({ check, calls: parts.calls, commands, sessions, events, key, clock });
  return {
    createWorkload: (session, execution, by) => workloads.create(session, execution, by),
    attest: async (body, { bound }) => workloads.attest(readAttestation(body), bound),
    take: (body, connection) => door.take(body, connection),
    async unread(error) {
      await events.envelopeRefused(error.code, error.message, undefined);
      return door.refuse(error);
    },
  };
}

function readAttestation(body: Uint8Array): Attest {
  const parsed = AttestSchema.safeParse(parseSealJson(body));
  if (parsed.success) return parsed.data;
  throw new SallyportError('BadRequest', {
    message: 'an attestation is `public_key`, `workload_id`, and `attestation_secret` or `proof`',
  });
}
