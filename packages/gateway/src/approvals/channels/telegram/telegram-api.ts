import { setTimeout as sleep } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import { Api, GrammyError, type Transformer } from 'grammy';
import type { Secret } from '../../../shared/secret.ts';

/** Longer than this nobody waits: the caller uses another channel meanwhile. */
const LONGEST_WAIT_MS = 30_000;
const ATTEMPTS = 4;
const CALL_SECONDS = 60;

/** The Bot API, which waits as long as it is told to before it calls again. */
export function createTelegramApi(token: Secret, apiUrl: string): Api {
  const api = new Api(token.reveal(), { apiRoot: apiUrl.replace(/\/+$/, ''), timeoutSeconds: CALL_SECONDS });
  api.config.use(patience());
  return api;
}

function patience(): Transformer {
  let notBefore = 0;
  return async (previous, method, payload, signal) => {
    for (let attempt = 1; ; attempt += 1) {
      const wait = notBefore - performance.now();
      if (wait > LONGEST_WAIT_MS) return tooManyRequests(wait);
      // `as`: the library types its own AbortSignal; every one that comes here is the platform's
      if (wait > 0) await sleep(wait, undefined, { signal: signal as AbortSignal | undefined });
      const answer = await previous(method, payload, signal);
      if (answer.ok || answer.error_code !== 429) return answer;
      notBefore = performance.now() + (answer.parameters?.retry_after ?? 1) * 1_000;
      if (attempt === ATTEMPTS) return answer;
    }
  };
}

function tooManyRequests(waitMs: number): { ok: false; error_code: number; description: string } {
  return {
    ok: false,
    error_code: 429,
    description: `Too Many Requests: retry after ${Math.ceil(waitMs / 1_000)}`,
  };
}

/**
 * What went wrong with a call, in our words.
 *
 * SECURITY: the library's network errors quote the URL, and the URL holds the bot's token: nothing of them is kept.
 */
export function telegramError(error: unknown): SallyportError {
  if (error instanceof SallyportError) return error;
  if (!(error instanceof GrammyError)) {
    return new SallyportError('Unavailable', { message: 'Telegram cannot be reached' });
  }
  return new SallyportError('Unavailable', {
    message: `Telegram refused \`${error.method}\`: ${error.description}`,
    ...hintFor(error.error_code),
  });
}

function hintFor(code: number): { hint?: string } {
  switch (code) {
    case 401:
    case 404:
      return { hint: 'check the bot token under `channels.telegram.token`' };
    case 403:
      return { hint: 'the person must unblock the bot and press Start' };
    case 409:
      return { hint: 'another process uses the same bot token; give each gateway a bot of its own' };
    // open: any code of the API
    default:
      return {};
  }
}

const GONE =
  /message is not modified|message to edit not found|message can't be edited|MESSAGE_ID_INVALID|chat not found/i;

/** Whether a message can be edited no more: deleted, too old, blocked, or the same already. */
export function isGone(error: unknown): boolean {
  if (!(error instanceof GrammyError)) return false;
  return error.error_code === 403 || (error.error_code === 400 && GONE.test(error.description));
}
