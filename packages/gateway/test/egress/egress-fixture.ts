import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { waitUntil } from '@sallyport/testkit';
import { createEgress, type Egress, type EgressOptions, type NetworkConfig } from '../../src/egress/index.ts';
import type {
  Header,
  OutgoingExchange,
  OutgoingRequest,
  ResponseHead,
  ResponseSink,
} from '../../src/shared/http-message.ts';

export const OPEN: NetworkConfig = {
  network: { allow_private: ['127.0.0.1'], ca_files: [] },
  tenants: { default: {}, other: {} },
};

/** The way out, to this machine only: every name leads to 127.0.0.1 unless the test has a resolver of its own. */
export function openEgress(options: Partial<EgressOptions> = {}): Egress & AsyncDisposable {
  const egress = createEgress({
    config: () => OPEN,
    folder: '/nonexistent',
    ownListeners: () => [],
    onProblem(error) {
      throw error;
    },
    resolver: async () => ['127.0.0.1'],
    ...options,
  });
  return Object.assign(egress, { [Symbol.asyncDispose]: () => egress.close() });
}

export function get(port: number, more: Partial<OutgoingRequest> = {}): OutgoingRequest {
  return {
    ...{ tenant: 'default', scheme: 'http', host: 'api.example.com', port },
    ...{ method: 'GET', target: '/', headers: [], isStreamed: false },
    ...more,
  };
}

export interface Told {
  readonly informational: readonly number[];
  readonly head: ResponseHead | undefined;
  readonly body: string;
  readonly trailers: readonly Header[] | undefined;
  readonly error: (Error & { readonly code?: string }) | undefined;
}

/** A sink that keeps what it is told; `whole` resolves at the end, be it good or bad. */
export class Ear implements ResponseSink {
  readonly informational: number[] = [];
  readonly chunks: Buffer[] = [];
  readonly #whole = Promise.withResolvers<Told>();
  readonly #headed = Promise.withResolvers<ResponseHead>();
  head: ResponseHead | undefined;
  drains = 0;
  bytes = 0;
  endings = 0;

  get whole(): Promise<Told> {
    return this.#whole.promise;
  }

  get headed(): Promise<ResponseHead> {
    return this.#headed.promise;
  }

  onInformational(status: number): void {
    this.informational.push(status);
  }

  onHead(head: ResponseHead): void {
    this.head = head;
    this.#headed.resolve(head);
  }

  onBody(chunk: Uint8Array): boolean {
    this.bytes += chunk.length;
    this.chunks.push(Buffer.from(chunk));
    return true;
  }

  onEnd(trailers: readonly Header[]): void {
    this.#tell({ trailers, error: undefined });
  }

  onError(error: Error): void {
    this.#tell({ trailers: undefined, error });
  }

  onDrain(): void {
    this.drains++;
  }

  #tell(end: Pick<Told, 'trailers' | 'error'>): void {
    this.endings++;
    const body = Buffer.concat(this.chunks).toString('latin1');
    this.#whole.resolve({ informational: this.informational, head: this.head, body, ...end });
  }
}

export interface Sent {
  readonly ear: Ear;
  readonly exchange: OutgoingExchange;
}

export function send(
  egress: Egress,
  request: OutgoingRequest,
  options: { readonly signal?: AbortSignal; readonly preferH2?: boolean } = {},
): Sent {
  const ear = new Ear();
  const { signal = new AbortController().signal, preferH2 = false } = options;
  return { ear, exchange: egress.exchange(request, ear, { signal, preferH2 }) };
}

/** Sends and waits for the end. */
export async function ask(egress: Egress, request: OutgoingRequest, preferH2 = false): Promise<Told> {
  return send(egress, request, { preferH2 }).ear.whole;
}

export interface RawUpstream extends AsyncDisposable {
  readonly port: number;
  /** everything that came, for each connection */
  readonly received: string[];
  readonly sockets: Socket[];
  /** connections that are open now */
  live(): number;
}

/** A TCP server that does what the test says, byte by byte. `onData` is called with all that came on the connection. */
export async function rawUpstream(
  onData: (socket: Socket, text: string, connection: number) => void,
  onConnect: (socket: Socket) => void = () => {},
): Promise<RawUpstream> {
  const received: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    const connection = sockets.length;
    sockets.push(socket);
    received.push('');
    socket.on('error', () => {});
    onConnect(socket);
    socket.on('data', (chunk) => {
      received[connection] += chunk.toString('latin1');
      onData(socket, received[connection] ?? '', connection);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    received,
    sockets,
    live: () => sockets.filter((socket) => !socket.destroyed).length,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Waits until a number has stayed the same for many looks: what moves it has stopped. */
export async function settled(read: () => number): Promise<number> {
  let last = read();
  let same = 0;
  await waitUntil(
    'the number to stay the same',
    () => {
      same = read() === last ? same + 1 : 0;
      last = read();
      return same >= 30;
    },
    { intervalMs: 5 },
  );
  return last;
}
