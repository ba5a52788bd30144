import type { ChildProcess } from 'node:child_process';
import { setImmediate, setTimeout as sleep } from 'node:timers/promises';

export interface WaitOptions {
  /**
   * Whatever must not end before: when it does, the wait fails with how it ended, not after a minute. A promise counts
   * as ended when it settles, a process when it exits.
   */
  readonly unless?: Promise<unknown> | ChildProcess | readonly (Promise<unknown> | ChildProcess)[];
  readonly timeoutMs?: number;
  /** pause between two looks; unless given, short ones at first */
  readonly intervalMs?: number;
}

/** Slow machines are no failure; whoever waits for something that can die names it in `unless`. */
const PATIENCE_MS = 60_000;
const LONGEST_PAUSE_MS = 20;
const LAST_LOOK_MS = 2_000;
const LATE = 'late';

/**
 * Waits until `look` gives a value that is not false, null or undefined, and gives it back.
 *
 * `what` is what is waited for, as a noun or a sentence; it is in the error. An error of `look` ends the wait.
 */
export function waitUntil<Found>(
  what: string,
  look: () => Found | Promise<Found>,
  options: WaitOptions = {},
): Promise<Exclude<Found, false | null | undefined>> {
  const failure = new Failure(what, waitUntil);
  return poll(failure, options, async () => {
    const found = await look();
    if (found === false || found === null || found === undefined) return {};
    // `as`: the three were excluded just now
    return { found: { value: found as Exclude<Found, false | null | undefined> } };
  });
}

/** Waits until `check` does not throw any more, and gives its value back. What it threw last is in the error. */
export function waitFor<Value>(
  what: string,
  check: () => Value | Promise<Value>,
  options: WaitOptions = {},
): Promise<Value> {
  const failure = new Failure(what, waitFor);
  return poll(failure, options, async () => {
    try {
      return { found: { value: await check() } };
    } catch (why) {
      return { why };
    }
  });
}

/** What one look brought; `why` says why it found nothing. */
interface Look<Value> {
  readonly found?: { readonly value: Value };
  readonly why?: unknown;
}

async function poll<Value>(
  failure: Failure,
  { unless = [], timeoutMs = PATIENCE_MS, intervalMs }: WaitOptions,
  look: () => Promise<Look<Value>>,
): Promise<Value> {
  const over = new AbortController();
  const ends = [unless].flat().map((one) => (one instanceof Promise ? ended(one) : exited(one, over.signal)));
  // A look that hangs is too late as well; aborted it is of no interest.
  const late = sleep(timeoutMs, LATE, { signal: over.signal }).catch(() => LATE);
  const end = Promise.race([...ends, late]);
  try {
    // Whatever was just begun gets its turn first.
    await setImmediate();
    for (let pauseMs = intervalMs ?? 1; ; pauseMs = intervalMs ?? Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const seen = await Promise.race([look(), end]);
      if (typeof seen !== 'string' && seen.found !== undefined) return seen.found.value;
      const early = typeof seen === 'string' ? seen : await Promise.race([sleep(pauseMs), end]);
      if (early === undefined) continue;
      // Looked at once more: it may have come together with the end.
      const last = await Promise.race([look(), sleep(LAST_LOOK_MS)]);
      if (last?.found !== undefined) return last.found.value;
      const how =
        early === LATE
          ? `waited ${timeoutMs / 1000} s for ${failure.what}`
          : `waited for ${failure.what}, but ${early}`;
      throw failure.with(how, last?.why);
    }
  } finally {
    over.abort();
  }
}

/** Points at the line that waits, not at this file. */
class Failure extends Error {
  readonly what: string;

  constructor(what: string, caller: (...args: never[]) => unknown) {
    super();
    this.what = what;
    Error.captureStackTrace(this, caller);
  }

  with(message: string, why: unknown): Failure {
    this.message = why === undefined ? message : `${message}: ${brief(why)}`;
    this.cause = why;
    this.stack = this.stack?.replace(/^Error/, `Error: ${this.message}`) ?? '';
    return this;
  }
}

function ended(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) => `what it depends on ended with ${brief(value)}`,
    (error: unknown) => `what it depends on failed: ${brief(error)}`,
  );
}

function exited(child: ChildProcess, signal: AbortSignal): Promise<string> {
  const how = (): string =>
    `the process ${child.pid ?? '(never started)'} ended with ${child.exitCode ?? child.signalCode}`;
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(how());
  return new Promise((resolve) => {
    const onExit = (): void => resolve(how());
    const onError = (error: Error): void => resolve(`the process did not start: ${error.message}`);
    child.once('exit', onExit).once('error', onError);
    signal.addEventListener('abort', () => child.off('exit', onExit).off('error', onError), { once: true });
  });
}

function brief(value: unknown): string {
  const text = value instanceof Error ? value.message : (JSON.stringify(value) ?? String(value));
  return text.length > 2_000 ? `${text.slice(0, 2_000)}…` : text;
}
