import { SallyportError } from '@sallyport/protocol';
import { isDeepValue } from '../../shared/json-depth.ts';
import { createEgressFetch, type EgressFetchParts } from './egress-fetch.ts';
import { insteadOfDeep, type RpcMessage, type SendOptions, type Wire, type WireListener } from './wire.ts';

const DISCONNECT_MS = 2_000;

/** A stream of events that breaks off is taken up again for as long as the connection is wanted, not twice. */
const STREAM_COMES_BACK = {
  initialReconnectionDelay: 1_000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 1_000_000,
};

export interface HttpWireOptions extends Omit<EgressFetchParts, 'onTooLarge'> {
  readonly url: string;
  /** credentials, ready to be sent */
  readonly headers: Readonly<Record<string, string>>;
}

/** As much of the SDK's transport as is used here. */
interface SdkTransport {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(
    message: never,
    options?: { requestSignal?: AbortSignal; onRequestStreamEnd?: () => void },
  ): Promise<void>;
  close(): Promise<void>;
  terminateSession(): Promise<void>;
  setProtocolVersion(version: string): void;
}

/** A server over Streamable HTTP: the SDK's transport, with the gateway's own way out under it. */
export class HttpWire implements Wire {
  readonly #options: HttpWireOptions;
  #transport: SdkTransport | undefined;
  #listener: WireListener | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: HttpWireOptions) {
    this.#options = options;
  }

  async open(listener: WireListener): Promise<void> {
    const { url, headers, egress, tenant, messageBytes } = this.#options;
    // Loaded when the first such server is: it takes longer than the rest of the gateway's start.
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client');
    const onTooLarge = (): void => {
      this.#tell({ fault: 'too-large', reason: 'it sent a message that is too large' });
      void this.close();
    };
    const transport: SdkTransport = new StreamableHTTPClientTransport(new URL(url), {
      fetch: createEgressFetch({ egress, tenant, messageBytes, onTooLarge }),
      requestInit: { headers: { ...headers } },
      reconnectionOptions: STREAM_COMES_BACK,
    });
    this.#listener = listener;
    this.#transport = transport;
    transport.onmessage = (message) => {
      const taken = isDeepValue(message) ? insteadOfDeep(message) : message;
      if (taken !== undefined) this.#listener?.onMessage(taken);
    };
    transport.onclose = () => this.#tell({ reason: 'the connection was closed' });
    await transport.start();
  }

  async send(message: RpcMessage, { signal, onLost }: SendOptions = {}): Promise<void> {
    try {
      // `as`: our messages are the SDK's, named more narrowly.
      await this.#transport?.send(message as never, {
        ...(signal === undefined ? {} : { requestSignal: signal }),
        ...(onLost === undefined
          ? {}
          : { onRequestStreamEnd: () => onLost('it ended its answer too early') }),
      });
    } catch (error) {
      const status = statusOf(error);
      // The server has forgotten the session: only a new handshake helps.
      if (status === 404) this.#tell({ reason: 'it has forgotten the session' });
      throw new Error(reasonOf(error, status), { cause: error });
    }
  }

  setProtocolVersion(version: string): void {
    this.#transport?.setProtocolVersion(version);
  }

  async close(): Promise<void> {
    this.#closing ??= this.#stop();
    return this.#closing;
  }

  async #stop(): Promise<void> {
    const late = new Promise<void>((resolve) => setTimeout(resolve, DISCONNECT_MS).unref());
    const ended = this.#transport?.terminateSession().catch(() => undefined);
    await Promise.race([ended, late]);
    await this.#transport?.close();
  }

  #tell(end: Parameters<WireListener['onClose']>[0]): void {
    const listener = this.#listener;
    this.#listener = undefined;
    listener?.onClose(end);
  }
}

function statusOf(error: unknown): number | undefined {
  const status = error instanceof Error && 'status' in error ? error.status : undefined;
  return typeof status === 'number' ? status : undefined;
}

/** SECURITY: the SDK's own messages quote what the server sent, which may be anything. */
function reasonOf(error: unknown, status: number | undefined): string {
  if (error instanceof SallyportError) return error.message;
  return status === undefined ? 'the request failed' : `it answered with HTTP ${status}`;
}
