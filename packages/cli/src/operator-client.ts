import { type IncomingMessage, request } from 'node:http';
import { toError } from '@sallyport/client';
import { SallyportError } from '@sallyport/protocol';
import packageJson from '../package.json' with { type: 'json' };

export interface OperatorAddress {
  readonly socketPath: string;
  readonly token: string;
}

export interface OperatorCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** with its query */
  readonly path: string;
  readonly body?: unknown;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

/** The operator side, over the unix socket in the home: no port, no TLS, and only who may read the home gets in. */
export class OperatorClient {
  readonly #address: OperatorAddress;

  constructor(address: OperatorAddress) {
    this.#address = address;
  }

  /** The parsed answer; rejects with the gateway's own error. */
  async call<Answer>(call: OperatorCall, parse: (value: unknown) => Answer): Promise<Answer> {
    const response = await this.open(call);
    const text = await readAll(response);
    try {
      return parse(text === '' ? undefined : JSON.parse(text));
    } catch (cause) {
      throw await this.#otherVersion(cause);
    }
  }

  /** A gateway of another version answers in another form: that is what a person must know, not which key it was. */
  async #otherVersion(cause: unknown): Promise<unknown> {
    const status = await readAll(await this.open({ method: 'GET', path: '/v1/status' }));
    const { version } = JSON.parse(status) as { readonly version?: unknown };
    if (version === packageJson.version) return cause;
    return new SallyportError('Unprocessable', {
      message: `the gateway that runs is of version ${version}, this command is of version ${packageJson.version}`,
      hint: 'use the same one: `sallyport stop`, then start it again with this version',
      cause,
    });
  }

  /** An answer that is read as it comes: exports and live events. */
  async open(call: OperatorCall): Promise<IncomingMessage> {
    const response = await this.#send(call);
    const status = response.statusCode ?? 0;
    if (status >= 200 && status < 300) return response;
    const text = await readAll(response);
    let body: unknown;
    try {
      body = JSON.parse(text);
    } catch {
      body = null; // not one of ours; `toError` says so
    }
    throw toError(body, status);
  }

  #send(call: OperatorCall): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const body = call.body === undefined ? undefined : JSON.stringify(call.body);
      const outgoing = request(
        {
          socketPath: this.#address.socketPath,
          method: call.method,
          path: call.path,
          headers: {
            host: 'localhost',
            accept: call.accept ?? 'application/json',
            authorization: `Bearer ${this.#address.token}`,
            ...(body === undefined
              ? {}
              : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }),
            ...call.headers,
          },
          ...(call.signal === undefined ? {} : { signal: call.signal }),
        },
        resolve,
      );
      outgoing.on('error', (cause: NodeJS.ErrnoException) => {
        const gone = cause.code === 'ENOENT' || cause.code === 'ECONNREFUSED' || cause.code === 'ECONNRESET';
        reject(gone ? new SallyportError('GatewayNotRunning', { cause }) : cause);
      });
      outgoing.end(body);
    });
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer); // a stream without encoding yields buffers
  return Buffer.concat(chunks).toString('utf8');
}
