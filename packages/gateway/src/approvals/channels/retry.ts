import { setTimeout as sleep } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import type { Redactor } from '../../audit/index.ts';

/** Waits; rejects when `signal` aborts. */
export type Delay = (ms: number, signal: AbortSignal) => Promise<void>;

export const realDelay: Delay = (ms, signal) => sleep(ms, undefined, { signal, ref: false });

const BACKOFF_MS: readonly number[] = [500, 2_000, 8_000];
const LONGEST_WAIT_MS = 60_000;
const TRY_MS = 30_000;

/**
 * Tries up to four times, each at most 30 s, with growing pauses; a service that names its own pause
 * (`details.retry_after_seconds`) gets it. Rejects with the last error.
 */
export async function withRetries<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  options: { readonly delay: Delay; readonly signal: AbortSignal; readonly isWanted: () => boolean },
): Promise<{ readonly value: T; readonly attempts: number }> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      const value = await attempt(AbortSignal.any([options.signal, AbortSignal.timeout(TRY_MS)]));
      return { value, attempts };
    } catch (error) {
      const pause = BACKOFF_MS[attempts - 1];
      if (pause === undefined || options.signal.aborted || !options.isWanted()) throw error;
      await options.delay(Math.max(pause, wishedPause(error)), options.signal);
    }
  }
}

function wishedPause(error: unknown): number {
  if (!(error instanceof SallyportError)) return 0;
  const seconds = Number(error.details?.retry_after_seconds ?? 0);
  return Number.isFinite(seconds) ? Math.min(Math.max(0, seconds * 1_000), LONGEST_WAIT_MS) : 0;
}

const CHARACTERS_AT_MOST = 300;
const CAUSES_AT_MOST = 4;

/**
 * Why a message did not reach anybody, for the trail: what the service said, with the causes behind it.
 *
 * SECURITY: what a service answers may repeat the token or the URL that it was sent, so it is redacted before it is cut:
 * half a secret would be found by no pattern [CR-1].
 */
export function failureText(error: unknown, redactor: Pick<Redactor, 'redactText'>): string {
  const parts: string[] = [];
  for (let cause = error; cause !== undefined && parts.length < CAUSES_AT_MOST; ) {
    const text = cause instanceof Error ? cause.message || cause.name : String(cause);
    if (!parts.includes(text)) parts.push(text);
    cause = cause instanceof Error ? cause.cause : undefined;
  }
  const text = redactor.redactText(parts.join(': ')).replaceAll(/\p{Cc}+/gu, ' ');
  return text.length <= CHARACTERS_AT_MOST ? text : `${text.slice(0, CHARACTERS_AT_MOST)}…`;
}
