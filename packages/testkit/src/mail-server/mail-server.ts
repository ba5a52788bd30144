import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import { type ReadMessage, readMessage } from './read-message.ts';

export interface ReceivedMessage extends ReadMessage {
  /** of the envelope */
  readonly from: string;
  readonly to: readonly string[];
  readonly raw: string;
  readonly encrypted: boolean;
}

export interface MailServerOptions {
  /** certificate for STARTTLS; without one the server offers none */
  readonly tls?: { readonly key: string; readonly cert: string };
  readonly user?: { readonly name: string; readonly password: string };
}

/** A real SMTP server on a free port that keeps what it gets. */
export class MailServer implements AsyncDisposable {
  readonly messages: ReceivedMessage[] = [];
  readonly port: number;
  readonly #server: SMTPServer;
  #refusal: { code: number; text: string } | undefined;

  private constructor(server: SMTPServer, port: number) {
    this.#server = server;
    this.port = port;
  }

  static async start(options: MailServerOptions = {}): Promise<MailServer> {
    let self: MailServer | undefined;
    const { tls, user } = options;
    const server = new SMTPServer({
      disabledCommands: [...(tls === undefined ? ['STARTTLS'] : []), ...(user === undefined ? ['AUTH'] : [])],
      authOptional: user === undefined,
      ...(tls ?? {}),
      onAuth(auth, _session, callback) {
        if (auth.username === user?.name && auth.password === user?.password)
          callback(null, { user: auth.username });
        else callback(new Error('535 wrong user or password'));
      },
      onData(stream, session, callback) {
        const chunks: Buffer[] = [];
        stream.on('data', (chunk: Buffer) => chunks.push(chunk));
        stream.on('end', () =>
          callback(self?.take(Buffer.concat(chunks).toString('latin1'), session) ?? null),
        );
      },
    });
    server.on('error', () => {}); // a client that breaks off is not the server's problem
    server.listen(0, '127.0.0.1');
    await once(server.server, 'listening');
    // `as`: a server that listens on an address has an AddressInfo
    self = new MailServer(server, (server.server.address() as AddressInfo).port);
    return self;
  }

  /** The next message is refused with this code. */
  refuseNext(code: number, text: string): void {
    this.#refusal = { code, text };
  }

  take(raw: string, session: SessionLike): (Error & { responseCode?: number }) | null {
    const refusal = this.#refusal;
    this.#refusal = undefined;
    if (refusal !== undefined) return Object.assign(new Error(refusal.text), { responseCode: refusal.code });
    const { mailFrom, rcptTo } = session.envelope;
    this.messages.push({
      ...readMessage(raw),
      raw,
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      encrypted: session.secure,
    });
    return null;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}

interface SessionLike {
  readonly secure: boolean;
  readonly envelope: {
    readonly mailFrom: { readonly address: string } | false;
    readonly rcptTo: readonly { readonly address: string }[];
  };
}
