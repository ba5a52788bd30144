import type { CommandExtras } from '../reading/command-action.ts';
import { type FolderNow, planMismatch, readPlan } from './plan-facts.ts';

/**
 * What `terraform apply NAME` is bound to besides its words: the plan, the state and the providers, each by what it is now. The
 * same is computed again before it runs: whatever changed while people read makes it another action, which nobody allowed [SS-5].
 *
 * `shown` is what `terraform show NAME` prints of this very file.
 */
export function planExtras(plan: Uint8Array, now: FolderNow, shown: string): CommandExtras {
  const facts = readPlan(plan);
  if (facts === undefined)
    return refused('it is no plan of terraform that can be read; make one with `terraform plan -out=NAME`');
  const mismatch = planMismatch(facts, now);
  if (mismatch !== undefined) return refused(mismatch);
  if (shown.trim() === '')
    return refused('the plan cannot be shown, and what nobody has seen is not applied');
  const { digest, lineage, serial, lock, programs } = facts;
  return {
    bound: { plan: digest, state: { lineage, serial }, providers: lock },
    shown: [...programs.map((program) => `runs ${program}`), shown].join('\n'),
    ...(programs.length === 0
      ? {}
      : { trap: { answer: 'ask', sentence: `applying it runs ${programs.join(', ')}` } as const }),
  };
}

function refused(sentence: string): CommandExtras {
  return { trap: { answer: 'refuse', sentence } };
}
