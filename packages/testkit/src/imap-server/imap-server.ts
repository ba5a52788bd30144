import { once } from 'node:events';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { listenOnFreePort } from '../http-server.ts';
import { ImapSession } from './imap-session.ts';
import { Mailbox } from './mailbox.ts';

export interface ImapServerOptions {
  readonly tls?: { readonly key: string; readonly cert: string };
  /** TLS from the first byte; otherwise `tls` is for STARTTLS */
  readonly implicit?: boolean;
  readonly user: { readonly name: string; readonly password: string };
  /** a server that does not know IDLE */
  readonly withoutIdle?: boolean;
}

/** An IMAP4rev1 server on a free port, with one folder `INBOX`, that refuses what a real one would refuse. */
export class ImapServer implements AsyncDisposable {
  readonly mailbox: Mailbox;
  /** every command that came, without its arguments */
  readonly commands: readonly string[];
  readonly port: number;
  readonly #server: Server;
  readonly #sessions: Set<ImapSession>;

  private constructor(
    server: Server,
    port: number,
    parts: { sessions: Set<ImapSession>; mailbox: Mailbox; commands: string[] },
  ) {
    this.#server = server;
    this.port = port;
    this.#sessions = parts.sessions;
    this.mailbox = parts.mailbox;
    this.commands = parts.commands;
  }

  static async start(options: ImapServerOptions): Promise<ImapServer> {
    const sessions = new Set<ImapSession>();
    const mailbox = new Mailbox();
    const commands: string[] = [];
    const take = (socket: Socket): void => {
      socket.on('error', () => {}); // a client that breaks off is not the server's problem
      const session = new ImapSession(socket, {
        ...options,
        mailbox,
        onCommand: (name) => commands.push(name),
      });
      sessions.add(session);
      socket.once('close', () => sessions.delete(session));
    };
    const isImplicit = options.implicit === true && options.tls !== undefined;
    const server = isImplicit ? createTlsServer({ ...options.tls }, take) : createTcpServer(take);
    server.on('tlsClientError', () => {});
    return new ImapServer(server, await listenOnFreePort(server), { sessions, mailbox, commands });
  }

  /** How many clients wait for news (IDLE). */
  get idling(): number {
    return [...this.#sessions].filter(({ isIdle }) => isIdle).length;
  }

  deliver(raw: string | Buffer, at = new Date()): number {
    const { uid } = this.mailbox.add(Buffer.from(raw), at);
    this.tell();
    return uid;
  }

  isSeen(uid: number): boolean {
    return this.mailbox.mails.some((mail) => mail.uid === uid && mail.flags.has('\\Seen'));
  }

  /** Cuts every connection, as a network does. */
  drop(): void {
    for (const session of this.#sessions) session.cut();
  }

  tell(): void {
    for (const session of this.#sessions) session.tellExists();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.drop();
    await closed;
  }
}
