import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { HomePaths } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol';
import type { OperatorClient } from './operator-client.ts';

const LOOK_MS = 30;

/**
 * Stops the gateway of a home and waits until the home is free, so that what is typed next (`restore`, `start`) finds it so.
 * False when it takes longer than `longestMs`: what is under way may still end.
 */
export async function stopAndWait(
  operator: OperatorClient,
  paths: Pick<HomePaths, 'home'>,
  { now, longestMs }: { readonly now: boolean; readonly longestMs: number },
): Promise<{ readonly answer: unknown; readonly isFree: boolean }> {
  const answer = await operator.call({ method: 'POST', path: '/v1/stop', body: { now } }, (value) => value);
  // Removed as the last thing, with the lock of the home.
  const pid = join(paths.home, 'gateway.pid');
  for (const until = Date.now() + longestMs; Date.now() < until; await setTimeout(LOOK_MS))
    if (!existsSync(pid)) return { answer, isFree: true };
  return { answer, isFree: false };
}

/** Whether there was one to stop. */
export async function stopIfRunning(
  operator: () => OperatorClient,
  paths: Pick<HomePaths, 'home'>,
  longestMs: number,
): Promise<boolean> {
  try {
    const { isFree } = await stopAndWait(operator(), paths, { now: false, longestMs });
    if (!isFree) await stopAndWait(operator(), paths, { now: true, longestMs });
    return true;
  } catch (error) {
    if (error instanceof SallyportError && error.code === 'GatewayNotRunning') return false;
    throw error;
  }
}
