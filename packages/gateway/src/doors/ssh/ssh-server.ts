import type { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import ssh2, {
  type AuthContext,
  type Connection,
  type PublicKeyAuthContext,
  type ServerChannel,
  type Session,
} from 'ssh2';

/** How somebody wants to prove who they are. */
export type AuthAttempt =
  | { readonly kind: 'none' }
  | { readonly kind: 'password'; readonly password: string }
  /** `blob` is the public key on the wire; `isProven`: a signature of this very connection was checked */
  | { readonly kind: 'publickey'; readonly blob: Buffer; readonly isProven: boolean }
  /** a signature that this key did not make, or with an algorithm that is not taken */
  | { readonly kind: 'wrong-signature'; readonly blob: Buffer };

/** One command that a client wants to have run, with its streams. */
export interface SshExec {
  /** as it was sent: one text */
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
  readonly isTerminal: boolean;
  readonly stdin: Readable;
  readonly stdout: Writable;
  readonly stderr: Writable;
  /** aborts when the channel or the connection ends before the command does */
  readonly gone: AbortSignal;
  onSignal(listener: (signal: NodeJS.Signals) => void): void;
  /** Ends it; once. */
  exit(end: { readonly code: number } | { readonly signal: string }): void;
}

/** What a connection is told of. */
export interface SshHandlers<Who> {
  /** Whose connection it is from now on; undefined: nobody's. */
  authenticate(attempt: AuthAttempt): Promise<Who | undefined>;
  exec(who: Who, exec: SshExec): void;
  /** It asked for something that is no command: refused, by this name. */
  refused(what: string): void;
  closed(): void;
}

export interface SshConnection {
  readonly isAuthenticated: boolean;
  /** Cuts it now. */
  cut(): void;
}

/** Takes sockets and speaks SSH on them. */
export interface SshServer<Who> {
  take(socket: Socket, handlers: SshHandlers<Who>): SshConnection;
}

/** Attempts to log in, and commands at once, on one connection. */
const MOST_ATTEMPTS = 6;
const MOST_CHANNELS = 32;
const MOST_VARIABLES = 32;
/** Variables that a client may set: how texts look, and nothing that decides what runs. */
const VARIABLE = /^(?:LANG|LC_[A-Z]{1,32}|TERM)$/;
const VALUE = /^[A-Za-z0-9_.@:+-]{0,64}$/;
const SIGNALS = new Set(['ABRT', 'ALRM', 'HUP', 'INT', 'KILL', 'PIPE', 'QUIT', 'TERM', 'USR1', 'USR2']);

/** What nobody has to doubt today; `ssh-audit` finds no fault with any of them. */
const ALGORITHMS = {
  kex: ['curve25519-sha256', 'curve25519-sha256@libssh.org'],
  serverHostKey: ['ssh-ed25519'],
  cipher: ['chacha20-poly1305@openssh.com', 'aes256-gcm@openssh.com', 'aes128-gcm@openssh.com', 'aes256-ctr'],
  hmac: ['hmac-sha2-256-etm@openssh.com', 'hmac-sha2-512-etm@openssh.com'],
  compress: ['none'],
} as const;

/**
 * The one file that knows `ssh2`: its events become attempts to log in, commands and signals, and everything else that SSH
 * can ask for is refused by its name.
 *
 * SECURITY: exec only. No shell, no subsystem, no forwarding of ports, sockets, agents or displays: there is no listener
 * that accepts one [SS-1].
 */
export function createSshServer<Who>(hostKey: string): SshServer<Who> {
  const server = new ssh2.Server({
    hostKeys: [hostKey],
    ident: 'Sallyport',
    // `as`: the type wants lists that can be changed, and knows no `kex-strict`, which ssh2 adds by itself
    algorithms: structuredClone(ALGORITHMS) as unknown as NonNullable<
      ConstructorParameters<typeof ssh2.Server>[0]['algorithms']
    >,
    keepaliveInterval: 15_000,
    keepaliveCountMax: 3,
  });
  const waiting = new WeakMap<Socket, (client: Connection) => void>();
  server.on('connection', (client) => {
    // ssh2 tells of a connection once the client has said hello, and the socket is how it is known.
    const { _sock: socket } = client as unknown as { readonly _sock: Socket };
    waiting.get(socket)?.(client);
  });
  server.on('error', () => undefined);
  return {
    take(socket, handlers) {
      const connection = new OneConnection(socket, handlers);
      waiting.set(socket, (client) => connection.greet(client));
      server.injectSocket(socket);
      return connection;
    },
  };
}

class OneConnection<Who> implements SshConnection {
  readonly #socket: Socket;
  readonly #handlers: SshHandlers<Who>;
  readonly #ended = new AbortController();
  #who: { readonly is: Who } | undefined;
  #attempts = 0;
  #channels = 0;
  // process-local: what this connection was refused and not yet told
  readonly #unsaid = new Set<string>();

  constructor(socket: Socket, handlers: SshHandlers<Who>) {
    this.#socket = socket;
    this.#handlers = handlers;
    socket.on('error', () => socket.destroy());
    // No client of SSH ends its side and still waits.
    socket.once('end', () => socket.destroy());
    socket.once('close', () => {
      this.#ended.abort();
      handlers.closed();
    });
  }

  get isAuthenticated(): boolean {
    return this.#who !== undefined;
  }

  cut(): void {
    this.#socket.destroy();
  }

  greet(client: Connection): void {
    client.on('error', () => this.#socket.destroy());
    // A half-closed connection is of no use to anyone.
    client.on('end', () => this.#socket.destroy());
    client.on('authentication', (context) => this.#authenticate(context));
    client.on('request', (_accept, reject, name) => {
      this.#refuse(String(name) === 'tcpip-forward' ? 'forwarding a port back' : `\`${String(name)}\``);
      reject?.();
    });
    client.on('tcpip', (_accept, reject) => {
      this.#refuse('forwarding a port');
      reject();
    });
    client.on('openssh.streamlocal', (_accept, reject) => {
      this.#refuse('forwarding a socket');
      reject();
    });
    client.on('session', (accept, reject) => {
      if (this.#who === undefined || this.#channels >= MOST_CHANNELS) {
        reject();
        return;
      }
      this.#channels += 1;
      const session = accept();
      session.once('close', () => {
        this.#channels -= 1;
      });
      this.#serve(session, this.#who.is);
    });
  }

  #authenticate(context: AuthContext): void {
    this.#attempts += 1;
    if (this.#attempts > MOST_ATTEMPTS) {
      this.#socket.destroy();
      return;
    }
    const attempt = attemptOf(context);
    if (attempt === undefined) {
      context.reject(['publickey', 'password']);
      return;
    }
    this.#handlers.authenticate(attempt).then(
      (who) => {
        if (who === undefined) context.reject(['publickey', 'password']);
        else {
          // SECURITY: a key that was only asked about proves nothing.
          if (attempt.kind !== 'publickey' || attempt.isProven) this.#who ??= { is: who };
          context.accept();
        }
      },
      () => this.#socket.destroy(),
    );
  }

  #refuse(what: string): void {
    this.#unsaid.add(what);
    this.#handlers.refused(what);
  }

  #serve(session: Session, who: Who): void {
    const env: Record<string, string> = {};
    const signals: ((signal: NodeJS.Signals) => void)[] = [];
    let isTerminal = false;
    session.on('pty', (accept, _reject, info) => {
      isTerminal = true;
      // The size alone: nothing behind this door is a terminal.
      const size = { COLUMNS: info.cols, LINES: info.rows };
      for (const [name, value] of Object.entries(size))
        if (Number.isInteger(value) && value > 0 && value < 10_000) env[name] = String(value);
      accept?.();
    });
    session.on('window-change', (accept) => accept?.());
    session.on('env', (accept, reject, { key, val }) => {
      const isAllowed = VARIABLE.test(key) && VALUE.test(val) && Object.keys(env).length < MOST_VARIABLES;
      if (!isAllowed) {
        reject?.();
        return;
      }
      env[key] = val;
      accept?.();
    });
    session.on('signal', (accept, reject, { name }) => {
      if (!SIGNALS.has(name)) {
        reject?.();
        return;
      }
      accept?.();
      // `as`: one of the list above
      for (const listener of signals) listener(`SIG${name}` as NodeJS.Signals);
    });
    session.on('x11', (_accept, reject) => {
      this.#refuse('forwarding a display');
      reject?.();
    });
    session.on('auth-agent', (_accept, reject) => {
      this.#refuse('forwarding an agent');
      reject?.();
    });
    session.on('shell', (accept) => this.#onlyCommands(accept(), 'a shell'));
    session.on('subsystem', (accept, _reject, { name }) =>
      this.#onlyCommands(
        accept(),
        name === 'sftp' ? 'copying files (sftp, scp)' : `the subsystem \`${name}\``,
      ),
    );
    session.on('exec', (accept, _reject, { command }) => {
      const channel = accept();
      this.#say(channel);
      this.#handlers.exec(who, {
        ...{ command, env, isTerminal, stdin: channel, stdout: channel.stdout, stderr: channel.stderr },
        gone: this.#goneWith(channel),
        onSignal: (listener) => void signals.push(listener),
        exit: (end) => endChannel(channel, end),
      });
    });
  }

  #onlyCommands(channel: ServerChannel, what: string): void {
    this.#refuse(what);
    this.#say(channel);
    endChannel(channel, { code: 1 });
  }

  /** Clients show what a command writes to stderr, and little else. */
  #say(channel: ServerChannel): void {
    for (const what of this.#unsaid)
      channel.stderr.write(`sallyport: ${what} is refused: this door runs single commands, nothing else\n`);
    this.#unsaid.clear();
  }

  #goneWith(channel: ServerChannel): AbortSignal {
    const gone = new AbortController();
    channel.once('close', () => gone.abort());
    channel.on('error', () => gone.abort());
    return AbortSignal.any([gone.signal, this.#ended.signal]);
  }
}

function endChannel(channel: ServerChannel, end: Parameters<SshExec['exit']>[0]): void {
  if (!channel.writable) return;
  // What was written to stderr has to be on its way first: the client stops reading at the end.
  channel.stderr.end(() => {
    if ('code' in end) channel.exit(end.code);
    else channel.exit(end.signal.replace(/^SIG/, ''), false, '');
    channel.end();
    channel.close();
  });
}

function attemptOf(context: AuthContext): AuthAttempt | undefined {
  if (context.method === 'none') return { kind: 'none' };
  if (context.method === 'password') return { kind: 'password', password: context.password };
  if (context.method !== 'publickey') return undefined;
  const { key } = context;
  if (context.signature === undefined) return { kind: 'publickey', blob: key.data, isProven: false };
  return isSigned(context)
    ? { kind: 'publickey', blob: key.data, isProven: true }
    : { kind: 'wrong-signature', blob: key.data };
}

/** SECURITY: over this very connection, with an algorithm of today. */
function isSigned({ key, blob, signature, hashAlgo }: PublicKeyAuthContext): boolean {
  const parsed = ssh2.utils.parseKey(key.data);
  if (parsed instanceof Error || Array.isArray(parsed)) return false;
  if (blob === undefined || signature === undefined) return false;
  if (!/^(?:ssh-ed25519|ecdsa-sha2-nistp256)$/.test(key.algo)) return false;
  return parsed.verify(blob, signature, hashAlgo) === true;
}
