import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { HomePaths } from '@sallyport/gateway/home';
import { SimulationSchema } from '@sallyport/protocol';
import type { OperatorClient } from '../operator-client.ts';

const DAYS = 7;
const LONGEST_MS = 30_000;

/** One line: how much of the last week a config would have decided otherwise. Undefined where nobody can tell. */
export async function simulateText(
  operator: OperatorClient,
  paths: Pick<HomePaths, 'home'>,
  config: string,
): Promise<string | undefined> {
  const file = join(paths.home, `.sallyport.${process.pid}.simulated.yaml`);
  try {
    writeFileSync(file, config, { mode: 0o600, flag: 'wx' });
    const since = new Date(Date.now() - DAYS * 86_400_000).toISOString();
    const body = { policy: file, since };
    const { judged, differ } = await operator.call(
      { method: 'POST', path: '/v1/simulate', body, signal: AbortSignal.timeout(LONGEST_MS) },
      (value) => SimulationSchema.parse(value),
    );
    if (judged === 0) return undefined;
    return `Of ${judged} decisions of the last ${DAYS} days, ${differ} would have been others with it.`;
  } catch {
    // Without a gateway that runs there is no past to look at; the question stands without it.
    return undefined;
  } finally {
    rmSync(file, { force: true });
  }
}
