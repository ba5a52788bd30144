import { createHash } from 'node:crypto';
import { z } from 'zod';
import { programsInConfig } from './config-programs.ts';
import { zipEntries } from './zip-entries.ts';

/** What a saved plan was made from, and with: all that may not change before it is applied [SS-5]. */
export interface PlanFacts {
  /** SHA-256 of the file */
  readonly digest: string;
  /** the state that it was made from */
  readonly lineage: string;
  readonly serial: number;
  /** SHA-256 of the lock of providers, comments left out */
  readonly lock: string;
  /** programs that its configuration starts on the machine that applies it */
  readonly programs: readonly string[];
}

/** The same of the folder at this moment; absent where there is no such file. */
export interface FolderNow {
  /** text of the state, where it is kept in the folder */
  readonly state?: string;
  /** text of `.terraform.lock.hcl` */
  readonly lock?: string;
}

const StateSchema = z.object({ lineage: z.string(), serial: z.int().min(0) });

/** undefined: it is no plan of terraform that can be read to its end. */
export function readPlan(bytes: Uint8Array): PlanFacts | undefined {
  const entries = zipEntries(bytes);
  if (entries?.has('tfplan') !== true) return undefined;
  const state = stateOf(entries.get('tfstate'));
  if (state === undefined) return undefined;
  const config = [...entries].flatMap(([name, text]) =>
    name.startsWith('tfconfig/') ? [[name.slice('tfconfig/'.length), text] as const] : [],
  );
  return {
    digest: createHash('sha256').update(bytes).digest('hex'),
    ...state,
    lock: lockDigest(entries.get('.terraform.lock.hcl')),
    programs: programsInConfig(config),
  };
}

/** Why a plan does not fit the folder any more, in one sentence; undefined: it does. */
export function planMismatch(plan: PlanFacts, now: FolderNow): string | undefined {
  if (lockDigest(now.lock) !== plan.lock)
    return 'the providers are locked otherwise than when the plan was made; plan again';
  if (now.state === undefined) return undefined;
  const state = stateOf(now.state);
  if (state === undefined) return 'the state cannot be read; plan again';
  // A plan for nothing yet has no lineage; the first apply gives one.
  if (state.lineage !== plan.lineage || state.serial !== plan.serial)
    return 'the state has changed since the plan was made; plan again';
  return undefined;
}

function stateOf(text: string | undefined): { lineage: string; serial: number } | undefined {
  try {
    return StateSchema.parse(JSON.parse(text ?? ''));
  } catch {
    return undefined;
  }
}

/** Absent, empty and nothing but comments are the same: no provider is locked. */
function lockDigest(text = ''): string {
  const lines = text.split('\n').filter((line) => !/^\s*(?:#|\/\/|$)/.test(line));
  return createHash('sha256').update(lines.join('\n')).digest('hex');
}
