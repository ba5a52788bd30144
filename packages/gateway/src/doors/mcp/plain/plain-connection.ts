import type { Socket } from 'node:net';
import type { HttpLimits } from '../../../servers/index.ts';
import { stayAwake } from '../../../shared/stay-awake.ts';
import { PlainAnswer } from './plain-answer.ts';
import type { Admitted, PlainEntrance } from './plain-entrance.ts';
import { type PlainHead, PlainReader } from './plain-reader.ts';

/** What is read while a message is under way, in bytes and in pieces: enough to notice that its client left. */
const BYTES_AHEAD = 65_536;
const PIECES_AHEAD = 64;
/** A body that comes in more pieces than that is node's to put together. */
const BODY_PIECES = 512;

export interface PlainConnectionParts {
  readonly entrance: PlainEntrance;
  readonly limits: Pick<HttpLimits, 'headerBytes' | 'idleTimeoutMs' | 'keepAliveTimeoutMs'>;
  readonly isStopping: () => boolean;
  /** The connection is not ours any more: closed, or handed on. */
  readonly onGone: (connection: PlainConnection) => void;
  /** Gives the connection to node's server, for good. What was not answered is unread. */
  readonly handOn: (socket: Socket) => void;
}

/** `new`: nothing has come yet; `body`: the head of a message is here, and not all of the rest */
export type PlainState = 'new' | 'idle' | 'body' | 'busy';

/** A message whose sender is known. */
interface Begun {
  readonly head: PlainHead;
  readonly admitted: Admitted;
}

/**
 * One connection as long as plain messages come over it, one after the other, each head in one piece. With the first
 * that is anything else, or that is not admitted, the connection goes to node's server, and that message with it,
 * unread: so nothing is refused here, and nothing is read in a way of its own.
 */
export class PlainConnection {
  readonly #parts: PlainConnectionParts;
  readonly #socket: Socket;
  readonly #reader: PlainReader;
  #pending: Buffer[] = [];
  #pendingBytes = 0;
  #begun: Begun | undefined;
  #answer: PlainAnswer | undefined;
  /** the session whose end is listened to, until another one's message comes */
  #ended: AbortSignal | undefined;
  #state: PlainState = 'new';
  #isDriving = false;
  /** an answer is complete, and the client has not taken it in yet */
  #isFull = false;
  #isGone = false;
  /** when the state began, by `performance.now` */
  #since = performance.now();

  constructor(socket: Socket, parts: PlainConnectionParts) {
    this.#parts = parts;
    this.#socket = socket;
    this.#reader = new PlainReader(parts.entrance, parts.limits.headerBytes);
    socket.setTimeout(parts.limits.idleTimeoutMs);
    socket.on('timeout', this.#cut);
    socket.on('error', this.#cut);
    socket.on('end', this.#onEnd);
    socket.on('close', this.#onClose);
    socket.on('drain', this.#onDrain);
    socket.on('data', this.#onData);
  }

  get state(): PlainState {
    return this.#state;
  }

  get socket(): Socket {
    return this.#socket;
  }

  /** for how long it has been in its state, in ms */
  ageAt(now: number): number {
    return now - this.#since;
  }

  readonly #cut = (): void => void this.#socket.destroy();

  /** Half-closed is gone, as for node's server. */
  readonly #onEnd = (): void => void this.#socket.end();

  readonly #onClose = (): void => {
    this.#leave();
    // SECURITY: an answer that nobody can get any more is not worked for.
    this.#answer?.close();
  };

  readonly #onSessionEnd = (): void => {
    // SECURITY: while a message is under way its connection ends with its session [ID-3].
    if (this.#state === 'busy' || this.#state === 'body') this.#socket.destroy();
    this.#ended = undefined;
  };

  readonly #onData = (chunk: Buffer): void => {
    this.#pending.push(chunk);
    this.#pendingBytes += chunk.length;
    if (this.#state !== 'busy') this.#drive();
    // SECURITY: who sends on and waits for no answer fills no memory [TO-9].
    else if (this.#pendingBytes >= BYTES_AHEAD || this.#pending.length >= PIECES_AHEAD) this.#socket.pause();
  };

  readonly #onDrain = (): void => {
    if (this.#isFull) this.#rest();
  };

  get #isFree(): boolean {
    return this.#state === 'new' || this.#state === 'idle';
  }

  /** One message after the other, not one inside the other: an answer may be there at once. */
  #drive(): void {
    if (this.#isDriving) return;
    this.#isDriving = true;
    try {
      if (this.#state === 'body') this.#gather();
      while (this.#isFree && this.#pendingBytes > 0 && !this.#isGone) this.#next();
    } catch {
      // SECURITY: what nobody foresaw ends the connection, not the gateway.
      this.#cut();
    } finally {
      this.#isDriving = false;
    }
  }

  #next(): void {
    const head = this.#parts.isStopping() ? undefined : this.#reader.read(this.#join());
    if (head === undefined) {
      this.#handOn();
      return;
    }
    this.#enter('busy');
    // A server that answers at once has done so before this could be asleep and awake again.
    stayAwake();
    const admitted = this.#parts.entrance.admit(head.message);
    if (admitted instanceof Promise) admitted.then((late) => this.#begin(head, late)).catch(this.#cut);
    else this.#begin(head, admitted);
  }

  /** SECURITY: only for whom the gateway knows is a body kept that has not come to its end [TO-9]. */
  #begin(head: PlainHead, admitted: Admitted | undefined): void {
    if (this.#isGone || this.#socket.destroyed) return;
    if (admitted === undefined || admitted.ended.aborted) {
      this.#handOn();
      return;
    }
    this.#follow(admitted.ended);
    this.#begun = { head, admitted };
    this.#gather();
  }

  /** Answers the message once all of it is here. Until then its bytes are the first of those that are pending. */
  #gather(): void {
    const begun = this.#begun;
    if (begun === undefined) return;
    if (this.#pendingBytes >= begun.head.end) {
      this.#begun = undefined;
      this.#state = 'busy';
      this.#take(begun);
    } else if (this.#pending.length > BODY_PIECES) {
      this.#handOn();
    } else {
      this.#state = 'body';
      if (this.#socket.isPaused()) this.#socket.resume();
    }
  }

  #take({ head, admitted }: Begun): void {
    const bytes = this.#join();
    // What came after it stays.
    this.#pendingBytes = bytes.length - head.end;
    this.#pending = this.#pendingBytes === 0 ? [] : [bytes.subarray(head.end)];
    const { entrance, limits, isStopping } = this.#parts;
    const startedAt = this.#since;
    const answer = new PlainAnswer({
      socket: this.#socket,
      ended: admitted.ended,
      keepsAlive: () => !isStopping(),
      keepAliveSeconds: Math.floor(limits.keepAliveTimeoutMs / 1000),
      onOver: ({ status, isLast }) => {
        entrance.count(head.message, status, startedAt);
        this.#onAnswered(isLast);
      },
    });
    this.#answer = answer;
    entrance.answer(admitted, head.message, bytes.subarray(head.start, head.end), answer);
  }

  #join(): Buffer {
    const [first, ...others] = this.#pending;
    return first !== undefined && others.length === 0 ? first : Buffer.concat(this.#pending);
  }

  #onAnswered(isLast: boolean): void {
    this.#answer = undefined;
    if (this.#isGone) return;
    if (isLast) {
      this.#socket.destroySoon();
      return;
    }
    // SECURITY: who does not take in its answers gets no more of them [TO-9].
    this.#isFull = this.#socket.writableNeedDrain;
    if (!this.#isFull) this.#rest();
  }

  #rest(): void {
    this.#isFull = false;
    this.#enter('idle');
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#pendingBytes > 0) this.#drive();
  }

  #enter(state: PlainState): void {
    this.#state = state;
    this.#since = performance.now();
  }

  /** One listener for all messages of a connection: to add and remove one for each costs more than to read it. */
  #follow(ended: AbortSignal): void {
    if (this.#ended === ended) return;
    this.#ended?.removeEventListener('abort', this.#onSessionEnd);
    this.#ended = ended;
    ended.addEventListener('abort', this.#onSessionEnd, { once: true });
  }

  #handOn(): void {
    const socket = this.#socket;
    this.#leave();
    socket.pause();
    for (const chunk of this.#pending.toReversed()) socket.unshift(chunk);
    this.#pending = [];
    this.#parts.handOn(socket);
    socket.resume();
  }

  #leave(): void {
    if (this.#isGone) return;
    this.#isGone = true;
    this.#ended?.removeEventListener('abort', this.#onSessionEnd);
    const socket = this.#socket;
    socket.off('timeout', this.#cut);
    socket.off('error', this.#cut);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    socket.off('drain', this.#onDrain);
    socket.off('data', this.#onData);
    this.#parts.onGone(this);
  }
}
