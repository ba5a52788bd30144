import { setTimeout as sleep } from 'node:timers/promises';
import { SallyportError } from '@sallyport/protocol';
import type { Logger, webApi } from '@slack/bolt';
import type { Secret } from '../../../shared/secret.ts';

const quiet = (): void => {};

/** SECURITY: what Slack's libraries log may quote messages and tokens, so that they log nothing [CR-1]. */
export const QUIET: Logger = {
  debug: quiet,
  info: quiet,
  warn: quiet,
  error: quiet,
  setLevel: quiet,
  // `as`: the level is an enum of the library, which is loaded later.
  getLevel: () => 'error' as ReturnType<Logger['getLevel']>,
  setName: quiet,
};

/** Loaded with the first Slack channel. */
export type SlackLibrary = Pick<typeof import('@slack/bolt'), 'App' | 'SocketModeReceiver' | 'webApi'>;

/** Longer than this nobody waits here: the caller is told, and comes again. */
const LONGEST_WAIT_SECONDS = 20;
const ATTEMPTS = 3;
const CALL_MS = 30_000;

/** The Web API of one workspace, which waits as long as it is told to before it calls again. */
export class SlackApi {
  readonly #library: SlackLibrary;
  readonly #token: Secret;
  readonly #url: string;
  readonly #stopped: AbortSignal;

  constructor(library: SlackLibrary, options: { token: Secret; url: string; stopped: AbortSignal }) {
    this.#library = library;
    this.#token = options.token;
    this.#url = options.url;
    this.#stopped = options.stopped;
  }

  /** Throws `TooManyRequests` with the pause that Slack asks for, or `Unavailable` with Slack's word for it. */
  call(
    method: string,
    parameters: Readonly<Record<string, unknown>>,
    signal: AbortSignal = this.#stopped,
  ): Promise<Readonly<Record<string, unknown>>> {
    return this.#patiently(method, signal, (client) => client.apiCall(method, parameters));
  }

  /** Uploads a text and shares it in a conversation. */
  async upload(channel: string, name: string, text: string, signal: AbortSignal): Promise<void> {
    await this.#patiently('files.uploadV2', signal, (client) =>
      client.filesUploadV2({ channel_id: channel, filename: name, title: name, content: text }),
    );
  }

  async #patiently(
    method: string,
    signal: AbortSignal,
    call: (client: webApi.WebClient) => Promise<unknown>,
  ): Promise<Readonly<Record<string, unknown>>> {
    // A client for each call: it has no other way to take a signal.
    const options = clientOptions(this.#url, AbortSignal.any([signal, this.#stopped]));
    const client = new this.#library.webApi.WebClient(this.#token.reveal(), options);
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await call(client);
        return typeof result === 'object' && result !== null ? { ...result } : {};
      } catch (error) {
        const pause = retryAfter(error);
        if (pause === undefined || pause > LONGEST_WAIT_SECONDS || attempt === ATTEMPTS)
          throw slackError(method, error);
        await sleep(pause * 1_000, undefined, { signal }).catch(() => {
          throw slackError(method, error);
        });
      }
    }
  }
}

export function clientOptions(url: string, signal: AbortSignal): webApi.WebClientOptions {
  return {
    slackApiUrl: url,
    logger: QUIET,
    retryConfig: { retries: 0 },
    rejectRateLimitedCalls: true,
    fetch: (input, init) => {
      const limits = [signal, AbortSignal.timeout(CALL_MS), ...(init?.signal ? [init.signal] : [])];
      // SECURITY: the token goes where the operator said, and follows no redirect.
      return fetch(input, { ...init, redirect: 'error', signal: AbortSignal.any(limits) });
    },
  };
}

/**
 * What went wrong with a call, in our words.
 *
 * SECURITY: of the library's errors only Slack's own short code is kept: headers and addresses hold tokens [CR-1].
 */
export function slackError(method: string, error: unknown): SallyportError {
  if (error instanceof SallyportError) return error;
  const seconds = retryAfter(error);
  if (seconds !== undefined) {
    return new SallyportError('TooManyRequests', {
      message: `Slack wants a pause of ${seconds} s before \`${method}\``,
      details: { retry_after_seconds: seconds },
    });
  }
  const code = slackCode(error);
  if (code === undefined) return new SallyportError('Unavailable', { message: 'Slack cannot be reached' });
  const hint = HINTS[code];
  return new SallyportError('Unavailable', {
    message: `Slack refused \`${method}\`: ${code}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

/** Whether a message can be edited no more: deleted, too old, or in a conversation that is gone. */
export function isGone(error: unknown): boolean {
  return error instanceof SallyportError && GONE.test(error.message);
}

const GONE =
  /: (?:message_not_found|cant_update_message|edit_window_closed|channel_not_found|is_archived|is_inactive|user_not_found)$/;

const HINTS: Readonly<Record<string, string>> = {
  invalid_auth: 'check the tokens under `channels.slack`',
  not_authed: 'check the tokens under `channels.slack`',
  account_inactive: 'the app was removed from the workspace: install it again',
  token_revoked: 'install the app again and replace the tokens under `channels.slack`',
  not_allowed_token_type: '`app_token` begins with `xapp-`, `bot_token` with `xoxb-`',
  missing_scope: 'the bot needs the scopes `chat:write`, `im:write` and `files:write`',
  user_not_found: 'use the member id from the profile, which begins with U or W',
  cannot_dm_bot: 'a bot cannot be asked: list the member id of a person',
  messages_tab_disabled: 'turn on the messages tab under "App Home" of the Slack app',
};

function slackCode(error: unknown): string | undefined {
  const data: unknown = property(error, 'data');
  const code = property(data, 'error');
  return typeof code === 'string' && /^[a-z0-9_]{1,60}$/.test(code) ? code : undefined;
}

function retryAfter(error: unknown): number | undefined {
  const seconds = property(error, 'retryAfter');
  return typeof seconds === 'number' && Number.isFinite(seconds) ? seconds : undefined;
}

function property(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Reflect.get(value, name);
}
