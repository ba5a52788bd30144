import { SallyportError } from '@sallyport/protocol';

/**
 * Runs a call with so much time. When it is over the call's signal aborts, and the caller is told `CommandTimeout`,
 * whatever the call does then.
 */
export function runWithin<T>(
  timeoutMs: number | undefined,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  // Most calls: no promise around their own.
  if (timeoutMs === undefined || !Number.isFinite(timeoutMs)) return run(signal);
  return runTimed(timeoutMs, signal, run);
}

async function runTimed<T>(
  timeoutMs: number,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const late = new SallyportError('CommandTimeout', {
    message: `the tool did not answer within ${timeoutMs / 1_000} seconds`,
  });
  const over = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => {
    over.abort(late);
    reject(late);
  }, timeoutMs);
  try {
    return await Promise.race([run(AbortSignal.any([signal, over.signal])), promise]);
  } catch (error) {
    throw over.signal.aborted && !signal.aborted ? late : error;
  } finally {
    clearTimeout(timer);
  }
}
