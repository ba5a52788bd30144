import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { SallyportError } from '@sallyport/protocol';
import type { BodyTee } from '../../audit/index.ts';
import type { Header, OutgoingExchange, ResponseHead, ResponseSink } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import type { BodyIntake } from './body-intake.ts';
import type { HandedReader } from './handed-reader.ts';
import type { Incoming } from './incoming.ts';
import { refusalFrom, refuse } from './refusal.ts';

/** What is known of an answer when it is over. */
export interface Answered {
  readonly status: number;
  readonly bytes: number;
  /** ms, as `performance.now` counts them; 0: no head came */
  readonly headAt: number;
  readonly error: string | undefined;
}

/** Who is told how an answer goes. */
export interface AnswerWatcher {
  /** A head came, before the agent sees it. The result, if any, sees the body before the agent does. */
  onAnswer(headers: readonly Header[]): HandedReader | undefined;
  onDone(answered: Answered): void;
  /** looks on as the body passes by, where the trail keeps it */
  readonly tee?: BodyTee | undefined;
}

/** Below this a body makes as many objects as it should. */
const LARGE = 4_096;

/** Hands an answer on to the agent as it comes, no faster than the agent reads. */
export class Forwarding implements ResponseSink {
  readonly #incoming: Incoming;
  readonly #intake: BodyIntake | undefined;
  readonly #actionId: string;
  readonly #watcher: AnswerWatcher;
  #reader: HandedReader | undefined;
  #exchange: OutgoingExchange | undefined;
  #status = 0;
  #bytes = 0;
  #headAt = 0;
  #isDone = false;

  constructor(incoming: Incoming, intake: BodyIntake | undefined, actionId: string, watcher: AnswerWatcher) {
    this.#incoming = incoming;
    this.#intake = intake;
    this.#actionId = actionId;
    this.#watcher = watcher;
  }

  attach(exchange: OutgoingExchange): void {
    this.#exchange = exchange;
    if (this.#isDone) return;
    this.#incoming.onDrain = () => exchange.resume();
    this.#incoming.onLeft = () => this.fail(this.#incoming.signal.reason);
  }

  onInformational(status: number, headers: readonly Header[]): void {
    // `100 Continue` is between us and whoever waits for it: the agent got ours when its body was wanted.
    if (status === 100) return;
    try {
      this.#incoming.informational(status, headers);
    } catch (cause) {
      this.fail(new SallyportError('UpstreamBroken', { cause }));
    }
  }

  onHead({ status, headers }: ResponseHead): void {
    this.#status = status;
    this.#headAt = performance.now();
    this.#reader = this.#watcher.onAnswer(headers);
    this.#watcher.tee?.describe(headers);
    try {
      this.#incoming.head(status, withoutVerdict(headers));
    } catch (cause) {
      // What cannot be written towards the agent is not a head that a sane server sends.
      this.fail(new SallyportError('UpstreamBroken', { cause }));
    }
  }

  onBody(chunk: Uint8Array): boolean {
    this.#bytes += chunk.length;
    if (this.#isDone) return true;
    this.#reader?.onBody(chunk);
    this.#watcher.tee?.add(chunk);
    const mayGoOn = this.#incoming.write(chunk);
    if (chunk.length >= LARGE) freeBuffersAfter(chunk.length);
    return mayGoOn;
  }

  onEnd(trailers: readonly Header[]): void {
    if (this.#isDone) return;
    this.#reader?.onEnd();
    try {
      this.#incoming.end(trailers);
    } catch (cause) {
      this.fail(new SallyportError('UpstreamBroken', { cause }));
      return;
    }
    this.#finish(undefined);
  }

  onError(error: Error): void {
    this.fail(error);
  }

  onDrain(): void {
    this.#intake?.drain();
  }

  /** The agent left, or something of ours failed: what is under way ends. */
  fail(error: unknown): void {
    if (this.#isDone) return;
    this.#exchange?.abort();
    if (this.#incoming.signal.aborted) {
      this.#incoming.abort();
      this.#finish('AgentLeft');
      return;
    }
    const refusal = refusalFrom(error, this.#actionId);
    if (!this.#incoming.hasAnswered) this.#status = refusal.status;
    refuse(this.#incoming, refusal);
    this.#finish(error instanceof SallyportError ? error.code : refusal.code);
  }

  #finish(error: string | undefined): void {
    if (this.#isDone) return;
    this.#isDone = true;
    this.#incoming.onDrain = undefined;
    this.#incoming.onLeft = undefined;
    this.#watcher.onDone({ status: this.#status, bytes: this.#bytes, headAt: this.#headAt, error });
  }
}

/** SECURITY: what we say about a request, only we say. */
export function withoutVerdict(headers: readonly Header[]): readonly Header[] {
  const isOurs = ([name]: Header): boolean =>
    name.length === 19 && lowerFieldName(name) === 'x-sallyport-verdict';
  return headers.some(isOurs) ? headers.filter((header) => !isOurs(header)) : headers;
}

/** Bytes of bodies after which their buffers are let go of; the engine by itself waits for 64 MiB of them. */
const EVERY_BYTES = 16 * 1_048_576;

let bytes = 0;
let collect: (() => void) | undefined;

/**
 * Counts each large piece of a body that went through, and lets go of their buffers from time to time. A long download makes hardly any objects but many megabytes outside the
 * heap. The engine then looks through all of the heap to get rid of them, which costs as much as the download itself;
 * a look at the young ones is enough, and takes a millisecond.
 */
function freeBuffersAfter(size: number): void {
  bytes += size;
  if (bytes < EVERY_BYTES) return;
  bytes = 0;
  collect ??= youngCollector();
  collect();
}

function youngCollector(): () => void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('globalThis.gc');
  setFlagsFromString('--no-expose-gc');
  // An engine without it does what it always did.
  return typeof gc === 'function' ? () => void gc({ type: 'minor' }) : () => {};
}
