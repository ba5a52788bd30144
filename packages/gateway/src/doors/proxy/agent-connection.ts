import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { SallyportError } from '@sallyport/protocol';
import type { SessionFacts } from '../../identity/index.ts';
import { parseHost } from '../../shared/host.ts';
import type { Header } from '../../shared/http-message.ts';
import { BadMessage, type RequestHead, writeResponseHead } from '../../shared/http1/index.ts';
import { AgentAuth } from './agent-auth.ts';
import { nextChunk } from './client-hello.ts';
import type { H1Incoming } from './h1-incoming.ts';
import { H1Loop } from './h1-loop.ts';
import { H2Front } from './h2-front.ts';
import type { Incoming, Origin } from './incoming.ts';
import { runTunnel } from './line-flow.ts';
import type { ProxyTools } from './proxy-parts.ts';
import { refusalBody, refusalFrom, refusalHeaders, refuse } from './refusal.ts';
import { runRequest } from './request-flow.ts';

/** What the door keeps count of. */
export interface ConnectionHost extends ProxyTools {
  /** Counts the connection for the session; throws `TooManyRequests` when it has its most. */
  countFor(session: SessionFacts): void;
  onClosed(connection: AgentConnection, session: SessionFacts | undefined): void;
  /** Counts a request for the session until `leave`; throws `TooManyRequests` when it has its most. */
  enter(session: SessionFacts): void;
  leave(session: SessionFacts): void;
}

const HANDSHAKE = 22;
const ESTABLISHED = 'HTTP/1.1 200 Connection Established\r\n\r\n';

/** One connection of an agent: plain requests, or a CONNECT and what is inside it. */
export class AgentConnection {
  readonly #host: ConnectionHost;
  readonly #socket: Socket;
  readonly #auth: AgentAuth;
  readonly #leaving = new AbortController();
  #counted: SessionFacts | undefined;
  #stopListening: (() => void) | undefined;
  #loop: H1Loop | undefined;
  #front: H2Front | undefined;
  /** `waiting`: for the first byte inside a CONNECT */
  #phase: 'http' | 'waiting' | 'handshake' | 'handed-over' = 'http';
  #since: number;

  constructor(host: ConnectionHost, socket: Socket, session?: SessionFacts) {
    this.#host = host;
    this.#socket = socket;
    this.#auth = new AgentAuth(host.parts, session);
    this.#since = host.parts.clock.now();
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.#onClose());
    if (session !== undefined && !this.#bindNow(session)) return;
    this.#startLoop(socket, undefined);
  }

  /** A connection that belongs to a session ends with it, also before its first request. */
  #bindNow(session: SessionFacts): boolean {
    try {
      return this.#bind(session);
    } catch {
      // It has its most connections already.
      this.cut();
      return false;
    }
  }

  /** Looks at the clock: slow heads and idle connections end. */
  check(now: number): void {
    const { headMs, idleMs, lingerMs } = this.#host.limits;
    const state = this.#state();
    if (state === 'busy') return;
    // SECURITY: who has not said who it is keeps no place for long: there are so many for all sessions [NE-8].
    const isShort = state === 'head' || (state === 'idle' && this.#auth.session === undefined);
    const most = isShort ? headMs : state === 'linger' ? lingerMs : idleMs;
    if (now - this.#since < most) return;
    if (state === 'head' && this.#phase === 'http' && this.#loop !== undefined) {
      this.#answerBad(this.#loop, new SallyportError('RequestTimeout'), 'slow-head');
    } else if (this.#front !== undefined && state === 'idle') {
      this.#since = now;
      this.#front.goAway();
    } else this.cut();
  }

  /** Ends it at once. */
  cut(): void {
    this.#leaving.abort(new Error('the connection is closed'));
    this.#socket.destroy();
  }

  #state(): 'idle' | 'head' | 'body' | 'busy' | 'linger' {
    if (this.#phase === 'handed-over') return 'busy';
    if (this.#phase === 'handshake') return 'head';
    if (this.#phase === 'waiting') return 'idle';
    if (this.#front !== undefined) return this.#front.isIdle ? 'idle' : 'busy';
    return this.#loop?.state ?? 'busy';
  }

  readonly #onActivity = (): void => {
    if (this.#state() !== 'head') this.#since = this.#host.parts.clock.now();
  };

  /** SECURITY: what nobody foresaw ends the connection, not the gateway. */
  readonly #onFailure = (error: unknown): void => {
    this.#host.parts.log.warn({ err: error }, 'a connection failed at the proxy');
    this.cut();
  };

  #onClose(): void {
    this.#stopListening?.();
    this.#leaving.abort(new Error('the agent left'));
    this.#host.onClosed(this, this.#counted);
  }

  /** `inside`: where a CONNECT leads; undefined on the proxy's own port. */
  #startLoop(socket: Duplex, inside: Origin | undefined): void {
    const loop = new H1Loop(socket, inside === undefined ? 'proxy' : 'server', this.#leaving.signal, {
      originOf: (head) => originOf(head, inside),
      onRequest: (incoming, head) => {
        this.#onRequest(loop, incoming, head, inside);
      },
      onBadMessage: (error, of) => {
        if (of === undefined) this.#answerBad(loop, error);
        else this.#breakOff(loop, of, error);
      },
      onActivity: this.#onActivity,
    });
    this.#loop = loop;
    // Half-closed is gone: nobody reads an answer to a question that takes an hour.
    socket.on('end', () => {
      if (this.#phase !== 'handed-over') this.cut();
    });
  }

  #onRequest(loop: H1Loop, incoming: H1Incoming, head: RequestHead, inside: Origin | undefined): void {
    const session = this.#known(incoming, inside !== undefined);
    if (session !== undefined && head.method !== 'CONNECT') this.#run(incoming, session);
    else this.#begin(loop, incoming, head, inside).catch(this.#onFailure);
  }

  /** The first request of a connection, and every CONNECT. */
  async #begin(
    loop: H1Loop,
    incoming: H1Incoming,
    head: RequestHead,
    inside: Origin | undefined,
  ): Promise<void> {
    const session = await this.#authenticate(incoming, inside !== undefined);
    if (session === undefined) return;
    if (head.method !== 'CONNECT') this.#run(incoming, session);
    else if (this.#host.parts.settings(session.tenant).isTunnel(incoming.host)) {
      await runTunnel(this.#host, incoming, session, () => this.#handOver(loop));
    } else await this.#open(loop, incoming, session);
  }

  /** At once, for all requests of a connection but the first. */
  #known({ headers }: Incoming, isInside: boolean): SessionFacts | undefined {
    return this.#counted === undefined ? undefined : this.#auth.known(headers, isInside);
  }

  async #authenticate(incoming: Incoming, isInside: boolean): Promise<SessionFacts | undefined> {
    try {
      const session =
        this.#auth.known(incoming.headers, isInside) ?? (await this.#auth.ask(incoming.headers, isInside));
      return this.#bind(session) ? session : undefined;
    } catch (error) {
      const isUnknown = error instanceof SallyportError && error.code === 'NotAuthenticated';
      this.#refuse(incoming, error, isUnknown ? 'no-session' : undefined);
      return undefined;
    }
  }

  /** From now on the connection ends with the session [ID-3]. */
  #bind(session: SessionFacts): boolean {
    if (this.#counted !== undefined) return true;
    this.#host.countFor(session);
    this.#counted = session;
    const signal = this.#host.parts.sessions.signalOf(session.id);
    const end = (): void => this.cut();
    if (signal.aborted) {
      end();
      return false;
    }
    signal.addEventListener('abort', end, { once: true });
    this.#stopListening = () => signal.removeEventListener('abort', end);
    return true;
  }

  #refuse(incoming: Incoming, error: unknown, reason?: string): void {
    const refusal = refusalFrom(error);
    this.#host.blocked.record({
      session: this.#auth.session,
      code: refusal.code,
      reason: reason ?? reasonOf(error),
      host: incoming.host,
      method: incoming.method,
    });
    refuse(incoming, refusal);
  }

  /** A body that cannot be read on ends its request, which is then recorded as what became of it, and once. */
  #breakOff(loop: H1Loop, incoming: H1Incoming, error: unknown): void {
    if (incoming.hasAnswered) {
      this.cut();
      return;
    }
    incoming.drop();
    this.#answerLast(loop, error);
    this.#leaving.abort(error);
    // It is not the loop's current one any more.
    incoming.onLeft?.();
  }

  #answerBad(loop: H1Loop, error: unknown, reason = reasonOf(error)): void {
    const { code } = refusalFrom(error);
    this.#host.blocked.record({ session: this.#auth.session, code, reason });
    this.#answerLast(loop, error);
  }

  #answerLast(loop: H1Loop, error: unknown): void {
    const refusal = refusalFrom(error);
    const body = refusalBody(refusal);
    const headers: Header[] = refusalHeaders(refusal, body.length);
    const { status } = refusal;
    loop.answerLast(
      `${writeResponseHead({ status, headers, body: 'given', keepAlive: false })}${body.toString('latin1')}`,
    );
  }

  #handOver(loop: H1Loop): Duplex {
    this.#phase = 'handed-over';
    const socket = loop.detach();
    this.#loop = undefined;
    socket.write(ESTABLISHED);
    return socket;
  }

  /** Answers CONNECT and looks at what comes: TLS is opened here, anything else must be plain HTTP. */
  async #open(loop: H1Loop, incoming: H1Incoming, session: SessionFacts): Promise<void> {
    const { host, port } = incoming;
    let secureContext: Awaited<ReturnType<ProxyTools['parts']['authority']['secureContextFor']>>;
    try {
      if (port === SSH_PORT) throw new SallyportError('DomainNotAllowed', SSH);
      secureContext = await this.#host.parts.authority.secureContextFor(host);
    } catch (error) {
      this.#refuse(incoming, error);
      return;
    }
    if (this.#leaving.signal.aborted) return;
    const socket = this.#handOver(loop);
    this.#phase = 'waiting';
    this.#since = this.#host.parts.clock.now();
    const first = await nextChunk(socket, this.#leaving.signal);
    if (first === undefined) {
      this.cut();
      return;
    }
    socket.unshift(first);
    if (first[0] !== HANDSHAKE) {
      this.#phase = 'http';
      this.#startLoop(socket, { scheme: 'http', host, port });
      return;
    }
    this.#phase = 'handshake';
    this.#since = this.#host.parts.clock.now();
    const tls = new TLSSocket(this.#socket, {
      isServer: true,
      secureContext,
      ALPNProtocols: ['h2', 'http/1.1'],
      SNICallback: (name, done) => {
        // SECURITY: a name in the handshake that is not the one of CONNECT is another host [NE-4].
        if (parseHost(name)?.text === host) return done(null, secureContext);
        this.#host.blocked.record({ session, code: 'HostMismatch', reason: 'sni-mismatch', host });
        return done(new Error('another host'));
      },
    });
    tls.on('error', () => this.cut());
    tls.on('close', () => this.cut());
    tls.once('secure', () => this.#onSecure(tls, { scheme: 'https', host, port }));
  }

  #onSecure(tls: TLSSocket, origin: Origin): void {
    this.#phase = 'http';
    this.#since = this.#host.parts.clock.now();
    if (tls.alpnProtocol !== 'h2') {
      this.#startLoop(tls, origin);
      return;
    }
    this.#front = new H2Front(tls, origin, this.#host.limits, {
      onRequest: (incoming) => {
        this.#onStream(incoming).catch(this.#onFailure);
      },
      onRefused: (incoming, error) => this.#refuse(incoming, error),
      onActivity: this.#onActivity,
      onClosed: () => this.cut(),
    });
  }

  async #onStream(incoming: Incoming): Promise<void> {
    const session = this.#known(incoming, true) ?? (await this.#authenticate(incoming, true));
    if (session !== undefined) this.#run(incoming, session);
  }

  #run(incoming: Incoming, session: SessionFacts): void {
    const host = this.#host;
    try {
      host.enter(session);
    } catch (error) {
      this.#refuse(incoming, error);
      return;
    }
    try {
      let isOver = false;
      runRequest(host, incoming, session, () => {
        if (isOver) return;
        isOver = true;
        host.leave(session);
      });
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

const SSH_PORT = 22;
const SSH = { message: 'this door does not carry SSH', hint: 'use the SSH door of the gateway' };

function reasonOf(error: unknown): string {
  if (error instanceof BadMessage) return error.reason;
  return error instanceof SallyportError ? error.message : 'internal';
}

function originOf({ authority, scheme, method }: RequestHead, inside: Origin | undefined): Origin {
  if (inside === undefined) {
    const { host } = authority;
    const isSecure = scheme === 'https' || method === 'CONNECT';
    return { scheme: isSecure ? 'https' : 'http', host, port: authority.port ?? (isSecure ? 443 : 80) };
  }
  const usual = inside.scheme === 'https' ? 443 : 80;
  const isSame =
    authority.host === inside.host &&
    (authority.port ?? usual) === inside.port &&
    (scheme ?? inside.scheme) === inside.scheme;
  // SECURITY: what was asked about at CONNECT and what the request names are one host, or nothing is sent [NE-4].
  if (!isSame) throw new SallyportError('HostMismatch');
  return inside;
}
