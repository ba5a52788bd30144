import type { Duplex } from 'node:stream';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';

/** Where a request goes, as it said itself in every place that names it. */
export interface Origin {
  readonly scheme: 'http' | 'https';
  /** canonical */
  readonly host: string;
  readonly port: number;
}

/** Told about the body of one request, once `resume` was called. */
export interface BodyListener {
  onBody(chunk: Buffer): void;
  onBodyEnd(trailers: readonly Header[]): void;
}

/**
 * One request that an agent sent, and the way to answer it: the same for HTTP/1.1 and HTTP/2.
 *
 * Nothing of the body is told before `resume`; after `end`, `refuse` or `abort` nothing is told any more.
 */
export interface Incoming extends Origin {
  readonly protocol: 'h1' | 'h2';
  readonly method: string;
  /** path and query */
  readonly target: string;
  /** every field in order; pseudo fields and framing left out or not, hop-by-hop ones still in */
  readonly headers: readonly Header[];
  readonly hasBody: boolean;
  /** undefined: not known before it ends */
  readonly bodyBytes: number | undefined;
  readonly upgrade: 'websocket' | undefined;
  /** aborts when the agent leaves or its session ends */
  readonly signal: AbortSignal;
  /** whether a head has been sent */
  readonly hasAnswered: boolean;
  /** who is told about the body */
  listener: BodyListener | undefined;
  /** called when the agent has left or its session has ended: after `signal` aborted */
  onLeft: (() => void) | undefined;
  /** called when more may be written */
  onDrain: (() => void) | undefined;

  /** Begins or goes on to read the body; a client that waits for `100 Continue` is told so. */
  resume(): void;
  pause(): void;
  informational(status: number, headers: readonly Header[]): void;
  head(status: number, headers: readonly Header[]): void;
  /** false: wait for `onDrain` */
  write(chunk: Uint8Array): boolean;
  end(trailers: readonly Header[]): void;
  /** Answers `101` and hands over the connection; HTTP/1.1 only. */
  switchTo?(protocol: string, headers: readonly Header[]): Duplex;
  /** Breaks the answer off, so that nobody takes it for whole. */
  abort(): void;
}

export function isGrpc({ protocol, headers }: Incoming): boolean {
  return (
    protocol === 'h2' &&
    headers.some(([name, value]) => name === 'content-type' && value.startsWith('application/grpc'))
  );
}

const ASYNC = /(?:^|[,\s])respond-async(?:$|[,;\s])/i;

/** `Prefer: respond-async`: whether the agent does not wait for people. */
export function wantsAsync({ headers }: Incoming): boolean {
  for (const header of headers) {
    if (header[0].length === 6 && lowerFieldName(header[0]) === 'prefer' && ASYNC.test(header[1]))
      return true;
  }
  return false;
}
