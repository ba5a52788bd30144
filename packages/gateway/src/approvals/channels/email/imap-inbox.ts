import { SallyportError } from '@sallyport/protocol';
import type { ImapFlow, ImapFlowOptions } from 'imapflow';
import type { Clock } from '../../../shared/clock.ts';
import type { Secret } from '../../../shared/secret.ts';
import { type Delay, realDelay } from '../retry.ts';
import { BoundedSet } from './bounded-set.ts';
import type { MailMessage } from './mail-reader.ts';
import { HEADER_BYTES } from './raw-headers.ts';

/** A bigger mail is refused; only its first bytes are fetched. */
const MESSAGE_BYTES = 5 * 1024 * 1024;
/** No question waits longer for an answer: older mails are left alone, in ms */
const OLDEST_MS = 7 * 86_400_000;
/** The server's clock has seconds only, and is not ours, in ms */
const CLOCKS_APART_MS = 60_000;
const IDLE_MS = 4 * 60_000;
const TIMEOUT_MS = 30_000;
const LOGOUT_MS = 2_000;
const REMEMBERED = 10_000;
const PAUSES_MS: readonly number[] = [1_000, 2_000, 5_000, 15_000, 60_000];
/** After a refused login, so that the account is not locked, in ms */
const REFUSED_PAUSE_MS = 300_000;

export interface ImapOptions {
  readonly host: string;
  readonly port: number;
  /** `implicit`: TLS from the first byte; `starttls`: required, never optional; `none`: in the clear */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user: string;
  readonly password: Secret;
  readonly mailbox: string;
  /** PEM of a private certificate authority */
  readonly ca?: string;
}

export interface ImapInboxOptions {
  readonly imap: ImapOptions;
  readonly clock: Clock;
  /** whether more than its first bytes is worth fetching */
  readonly isWanted: (start: Buffer) => boolean;
  /** `isOld`: it came before we started */
  readonly onMessage: (message: MailMessage & { readonly isOld: boolean }) => Promise<void>;
  readonly onProblem: (error: SallyportError) => void;
  /** the mailbox is open, maybe again */
  readonly onOpen?: () => void;
  readonly delay?: Delay;
}

/**
 * Reads a mailbox as mails arrive (IMAP IDLE), and connects again whenever the connection ends.
 *
 * Unread mails of the last seven days are handed over once each and then marked as read. A crash in between hands
 * one over again: what an answer may do twice is the reader's to decide.
 */
export class ImapInbox {
  readonly #options: ImapInboxOptions;
  readonly #stopped = new AbortController();
  /** `validity:uid` of what was handed over, and of what was marked as read */
  readonly #handed = new BoundedSet(REMEMBERED);
  readonly #marked = new BoundedSet(REMEMBERED);
  #client: ImapFlow | undefined;
  #running: Promise<void> | undefined;
  #reported: string | undefined;

  constructor(options: ImapInboxOptions) {
    this.#options = options;
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** What is being read is finished, unless that takes long. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#client?.close();
    const enough = new AbortController();
    await Promise.race([this.#running, realDelay(LOGOUT_MS, enough.signal).catch(() => {})]);
    enough.abort();
  }

  async #run(): Promise<void> {
    const { clock, delay = realDelay } = this.#options;
    const { signal } = this.#stopped;
    const since = clock.now();
    let failures = 0;
    while (!signal.aborted) {
      let pause = PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] ?? 0;
      try {
        await this.#session(since, () => {
          failures = 0;
          this.#reported = undefined;
          this.#options.onOpen?.();
        });
      } catch (error) {
        failures += 1;
        if (isRefused(error)) pause = REFUSED_PAUSE_MS;
        if (!signal.aborted) this.#report(error);
      }
      await delay(pause, signal).catch(() => {});
    }
  }

  /** One connection, until it ends. */
  async #session(since: number, onOpen: () => void): Promise<void> {
    const { ImapFlow } = await import('imapflow');
    const client = new ImapFlow(settingsOf(this.#options.imap));
    this.#client = client;
    let wake = (): void => {};
    // What breaks the connection also rejects what is waited for; without a listener it would end the process.
    client.on('error', () => wake());
    client.on('close', () => wake());
    client.on('exists', () => wake());
    try {
      await client.connect();
      const { uidValidity } = await client.mailboxOpen(this.#options.imap.mailbox);
      onOpen();
      while (!this.#stopped.signal.aborted) {
        const news = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await this.#collect(client, String(uidValidity), since);
        await Promise.race([news, this.#idle(client)]);
        if (!client.usable) throw new Error('the connection ended');
      }
    } finally {
      client.close();
    }
  }

  /** A server that ends each IDLE at once is asked once a second, not as fast as it answers. */
  async #idle(client: ImapFlow): Promise<void> {
    await client.idle();
    const { delay = realDelay } = this.#options;
    await delay(1_000, this.#stopped.signal).catch(() => {});
  }

  async #collect(client: ImapFlow, validity: string, since: number): Promise<void> {
    const oldest = new Date(this.#options.clock.now() - OLDEST_MS);
    const uids = (await client.search({ seen: false, since: oldest }, { uid: true })) || [];
    for (const uid of uids) {
      if (this.#stopped.signal.aborted) return;
      const key = `${validity}:${uid}`;
      if (this.#marked.has(key)) continue;
      if (!this.#handed.has(key)) await this.#hand(client, String(uid), key, since);
      await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true });
      this.#marked.add(key);
    }
  }

  async #hand(client: ImapFlow, uid: string, key: string, since: number): Promise<void> {
    const { isWanted, onMessage, onProblem } = this.#options;
    let found = await fetchStart(client, uid, HEADER_BYTES);
    if (found === undefined) return;
    if (!found.whole && found.size <= MESSAGE_BYTES && isWanted(found.bytes))
      found = (await fetchStart(client, uid, MESSAGE_BYTES)) ?? found;
    // INVARIANT: before it is handed over: whatever happens then, this process never hands it over again.
    this.#handed.add(key);
    try {
      await onMessage({ bytes: found.bytes, whole: found.whole, isOld: found.at < since - CLOCKS_APART_MS });
    } catch (error) {
      const known = error instanceof SallyportError ? error : undefined;
      onProblem(known ?? problem('a mail could not be read', error));
    }
  }

  #report(error: unknown): void {
    const code = codeOf(error);
    if (this.#reported === code) return;
    this.#reported = code;
    if (error instanceof SallyportError) this.#options.onProblem(error);
    else this.#options.onProblem(problem('the mailbox cannot be read', error));
  }
}

/** Signs in and opens the mailbox. Rejects when the server does not let us. */
export async function tryMailbox(imap: ImapOptions): Promise<void> {
  const { ImapFlow } = await import('imapflow');
  const client = new ImapFlow(settingsOf(imap));
  client.on('error', () => {}); // told by what is awaited
  try {
    await client.connect();
    await client.mailboxOpen(imap.mailbox);
  } catch (error) {
    throw new SallyportError('Unavailable', {
      message: `the mailbox \`${imap.mailbox}\` at \`${imap.host}\` cannot be opened (${codeOf(error)})`,
      hint: 'check `channels.email.imap`',
    });
  } finally {
    client.close();
  }
}

/** The first bytes of a message, and whether that is all of it. */
async function fetchStart(
  client: ImapFlow,
  uid: string,
  bytes: number,
): Promise<(MailMessage & { readonly size: number; readonly at: number }) | undefined> {
  const source = { start: 0, maxLength: bytes } as const;
  const found = await client.fetchOne(
    uid,
    { uid: true, size: true, internalDate: true, source },
    { uid: true },
  );
  if (!found || found.source === undefined) return undefined;
  const size = found.size ?? Number.POSITIVE_INFINITY;
  const at = found.internalDate === undefined ? 0 : new Date(found.internalDate).getTime();
  // Not by `size`: some servers only guess it.
  const whole = found.source.length < bytes;
  return { bytes: found.source, whole, size, at };
}

function settingsOf({ host, port, tls, user, password, ca }: ImapOptions): ImapFlowOptions {
  return {
    host,
    port,
    secure: tls === 'implicit',
    // SECURITY: true is required, not tried: a server (or somebody between) without STARTTLS gets no password.
    doSTARTTLS: tls === 'starttls',
    auth: { user, pass: password.reveal() },
    tls: ca === undefined ? {} : { ca },
    logger: false,
    disableCompression: true,
    disableAutoIdle: true,
    maxIdleTime: IDLE_MS,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: IDLE_MS + TIMEOUT_MS,
    maxLineLength: 1024 * 1024,
    maxLiteralSize: MESSAGE_BYTES + 1024,
    maxResponseSize: MESSAGE_BYTES + 2 * 1024 * 1024,
  };
}

/** SECURITY: a server's text may quote what was sent, credentials included: only codes are kept. */
function problem(message: string, error: unknown): SallyportError {
  return new SallyportError('Unavailable', {
    message: `${message} (${codeOf(error)})`,
    hint: 'check `channels.email.imap`',
  });
}

function codeOf(error: unknown): string {
  if (isRefused(error)) return 'login refused';
  if (error instanceof Error && 'code' in error) return String(error.code);
  return error instanceof Error ? error.name : 'unknown';
}

function isRefused(error: unknown): boolean {
  return error instanceof Error && 'authenticationFailed' in error && error.authenticationFailed === true;
}
