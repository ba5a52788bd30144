import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from 'grammy';
import type { Update } from 'grammy/types';

const POLL_SECONDS = 30;
const LAST_CALL_MS = 2_000;
/** Nothing else is asked for: reactions and edits of messages are no answers. */
export const ALLOWED_UPDATES = ['message', 'callback_query'] as const;

export interface PollerOptions {
  readonly handle: (update: Update) => Promise<void>;
  readonly onProblem: (error: unknown) => void;
  readonly onAnswered: () => void;
  /** pause after the first failure in ms; it doubles up to half a minute */
  readonly pauseMs: number;
  readonly signal: AbortSignal;
}

/**
 * Takes updates until the signal aborts. Telegram keeps an update until the next call names a higher offset, so an
 * answer that was not handled when the process died comes again; one that was handled comes again as too late.
 */
export async function pollUpdates(api: Api, options: PollerOptions): Promise<void> {
  const { signal } = options;
  let offset = 0;
  let pause = options.pauseMs;
  let ready = false;
  while (!signal.aborted) {
    try {
      if (!ready) await api.deleteWebhook({}, forLibrary(signal));
      if (!ready) options.onAnswered();
      ready = true;
      const updates = await api.getUpdates(
        { offset, timeout: POLL_SECONDS, allowed_updates: ALLOWED_UPDATES },
        forLibrary(signal),
      );
      pause = options.pauseMs;
      options.onAnswered();
      for (const update of updates) {
        await options.handle(update);
        offset = update.update_id + 1;
      }
    } catch (error) {
      if (signal.aborted) break;
      options.onProblem(error);
      await sleep(pause, undefined, { signal }).catch(() => {}); // an abort ends the loop above
      pause = Math.min(pause * 2, 30_000);
    }
  }
  if (offset > 0) await confirm(api, offset);
}

/** Best effort: without it, what was handled comes again after the next start and is answered as too late. */
async function confirm(api: Api, offset: number): Promise<void> {
  const limit = forLibrary(AbortSignal.timeout(LAST_CALL_MS));
  await api.getUpdates({ offset, limit: 1, timeout: 0 }, limit).catch(() => {});
}

/** The library's type of a signal is that of a package; what it needs of one, the platform's has. */
export function forLibrary(signal: AbortSignal): Parameters<Api['getMe']>[0] {
  return signal as unknown as Parameters<Api['getMe']>[0]; // see above
}
