/** One header field, as it was sent: names in any case, values without surrounding blanks. */
export type Header = readonly [name: string, value: string];

/** Where a request goes. */
export interface Destination {
  readonly tenant: string;
  readonly scheme: 'http' | 'https';
  /** canonical, as `parseHost` gives it: lower case, IPv6 without brackets */
  readonly host: string;
  readonly port: number;
}

/**
 * A request that was allowed, on its way out. Whoever lends a credential changes it in place; nobody after that.
 *
 * `headers` holds neither hop-by-hop fields nor framing (`Content-Length`, `Transfer-Encoding`) nor `Host`: what is
 * sent is written anew from this form.
 */
export interface OutgoingRequest extends Destination {
  method: string;
  /** path and query, origin form */
  target: string;
  headers: Header[];
  /** the whole body, when it is at hand; a credential may change it */
  body?: Uint8Array;
  /** size of a body that is streamed; undefined when it is not known */
  readonly streamedBytes?: number | undefined;
  /** whether there is a body that is streamed */
  readonly isStreamed: boolean;
  /** `Authorization` as the agent sent it: what it signed and for whom. Never sent on; a kind that signs reads it */
  readonly agentAuthorization?: string | undefined;
}

export interface ResponseHead {
  /** 200…599 */
  readonly status: number;
  /** without hop-by-hop fields and `Transfer-Encoding`; `Content-Length` stays as upstream sent it */
  readonly headers: readonly Header[];
}

/** What is told about the answer to one request, in this order. After `onEnd` or `onError` nothing more comes. */
export interface ResponseSink {
  /** 1xx other than 101; bounded by whoever calls */
  onInformational(status: number, headers: readonly Header[]): void;
  onHead(head: ResponseHead): void;
  /** false: stop until `resume` of the exchange is called */
  onBody(chunk: Uint8Array): boolean;
  onEnd(trailers: readonly Header[]): void;
  /** the exchange failed; a head may have been told before */
  onError(error: Error): void;
  /** more body may be written */
  onDrain(): void;
}

/** One request under way. */
export interface OutgoingExchange {
  /** false: wait for `onDrain` */
  write(chunk: Uint8Array): boolean;
  end(trailers?: readonly Header[]): void;
  /** goes on after `onBody` said false */
  resume(): void;
  /** Nothing is told any more; the connection is not used again. */
  abort(): void;
}

/** What is needed of a response to write an answer with it: node's own has it, and so has the one of plain messages. */
export interface HttpAnswer {
  /** whether nothing more can be written: it is complete, or its client is gone */
  readonly destroyed: boolean;
  /** bytes that the client has not taken in yet */
  readonly writableLength: number;
  readonly writableNeedDrain: boolean;
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  write(text: string): unknown;
  end(text?: string): unknown;
  /** Cuts the connection. */
  destroy(): unknown;
  /** It is complete, or its client is gone. */
  once(event: 'close', listener: () => void): unknown;
}
