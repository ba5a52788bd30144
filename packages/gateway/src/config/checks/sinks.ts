import type { ConfigProblem } from '../config-check.ts';
import type { Config } from '../schema.ts';
import { placeOfSink } from '../sections/audit.ts';

/** Two sinks that write to the same place would write every event there twice. */
export function checkSinks({ audit }: Config): readonly ConfigProblem[] {
  const problems: ConfigProblem[] = [];
  const seen = new Map<string, number>();
  for (const [index, sink] of audit.sinks.entries()) {
    const key = placeOfSink(sink);
    const first = seen.get(key);
    if (first === undefined) {
      seen.set(key, index);
      continue;
    }
    problems.push({
      severity: 'error',
      path: ['audit', 'sinks', index],
      message: `this sink writes to the same place as sink ${first + 1}`,
      hint: 'remove one of them',
    });
  }
  return problems;
}
