import { SallyportError } from '@sallyport/protocol';
import type { REST, RESTOptions, RequestData } from 'discord.js';
import type { Secret } from '../../../shared/secret.ts';

/** Loaded with the first Discord channel. */
export type DiscordLibrary = typeof import('discord.js');
export type RestRequest = RequestData & { readonly signal: AbortSignal };

/** Longer than this nobody waits here: the caller is told, and comes again. */
const LONGEST_WAIT_MS = 20_000;
const CALL_MS = 30_000;

/** The REST API, which waits as long as it is told to before it calls again. */
export class DiscordApi {
  readonly #rest: REST;

  constructor(library: DiscordLibrary, options: { readonly token: Secret; readonly url: string }) {
    this.#rest = new library.REST(restOptions(options.url)).setToken(options.token.reveal());
  }

  async get(route: `/${string}`, request: RestRequest): Promise<Readonly<Record<string, unknown>>> {
    const answer = await this.#rest.get(route, request).catch(rethrow);
    return typeof answer === 'object' && answer !== null ? { ...answer } : {};
  }

  /** Throws `TooManyRequests` with the pause that Discord asks for, or `Unavailable` with its reason. */
  async post(route: `/${string}`, request: RestRequest): Promise<string> {
    return idOf(await this.#rest.post(route, request).catch(rethrow));
  }

  async patch(route: `/${string}`, request: RestRequest): Promise<void> {
    await this.#rest.patch(route, request).catch(rethrow);
  }

  stop(): void {
    this.#rest.clearHashSweeper();
    this.#rest.clearHandlerSweeper();
  }
}

export function restOptions(url: string): Partial<RESTOptions> {
  return {
    api: url.replace(/\/+$/, ''),
    version: '10',
    timeout: CALL_MS,
    retries: 0,
    rejectOnRateLimit: ({ retryAfter }) => retryAfter > LONGEST_WAIT_MS,
  };
}

function rethrow(error: unknown): never {
  throw discordError(error);
}

/**
 * What went wrong with a call, in our words.
 *
 * SECURITY: of the library's errors only Discord's number and sentence are kept: the rest holds addresses, and an
 * interaction's address is a credential [CR-1].
 */
export function discordError(error: unknown): SallyportError {
  if (error instanceof SallyportError) return error;
  const pause = property(error, 'retryAfter');
  if (typeof pause === 'number' && Number.isFinite(pause)) {
    const seconds = Math.ceil(pause / 1_000);
    return new SallyportError('TooManyRequests', {
      message: `Discord wants a pause of ${seconds} s`,
      details: { retry_after_seconds: seconds },
    });
  }
  const raw = property(error, 'rawError');
  const code = property(raw, 'code') ?? property(error, 'code');
  if (code === 'TokenInvalid' || property(error, 'status') === 401)
    return refusal('the token is not valid', 'check the token under `channels.discord.token`');
  if (typeof code !== 'number' || raw === undefined)
    return new SallyportError('Unavailable', { message: 'Discord cannot be reached' });
  const said = String(property(raw, 'message'))
    .replace(/[^\w .,:()'-]/g, '')
    .slice(0, 120);
  return refusal(`${said} (${code})`, HINTS[code]);
}

/** Whether a message can be edited no more: it is deleted, or its channel is, or we are out of it. */
export function isGone(error: unknown): boolean {
  return error instanceof SallyportError && /\((?:10003|10008|50001|50007)\)$/.test(error.message);
}

const HINTS: Readonly<Record<number, string>> = {
  10003: 'check the id under `channels.discord.channel`',
  10013: 'use the id of a person: developer mode, then "Copy User ID"',
  50001: 'let the bot see the channel under `channels.discord.channel`',
  50007: 'the person must share a server with the bot and take its direct messages; a bot takes none',
  50013: 'let the bot send messages and attach files in the channel',
  50033: 'use the id of a person: developer mode, then "Copy User ID"',
};

function refusal(said: string, hint: string | undefined): SallyportError {
  return new SallyportError('Unavailable', {
    message: `Discord refused: ${said}`,
    ...(hint === undefined ? {} : { hint }),
  });
}

function idOf(answer: unknown): string {
  const id = property(answer, 'id');
  if (typeof id === 'string') return id;
  throw new SallyportError('Unavailable', { message: 'Discord answered without an id' });
}

function property(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
