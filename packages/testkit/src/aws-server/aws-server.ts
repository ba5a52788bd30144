import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import { closeServer, listenOnFreePort } from '../http-server.ts';
import type { TestCa } from '../test-ca.ts';
import { AwsAccount } from './account.ts';
import { type Answer, AwsRefusal, document, elements } from './answer.ts';
import { headerText, type IncomingRequest, readIncoming } from './incoming.ts';
import { ObjectStore } from './object-store.ts';
import { answerS3 } from './s3.ts';
import { answerSecretsManager, answerSso, answerSts } from './services.ts';
import { type VerifiedRequest, verifyRequest } from './verify.ts';

export interface AwsServerOptions {
  /** what time it is there; this machine's unless given */
  readonly clock?: { now(): number };
  /** serves TLS for these names */
  readonly tls?: { readonly ca: TestCa; readonly names: readonly string[] };
}

/** What one request was, for tests to look at. */
export interface AwsRecord {
  readonly request: IncomingRequest;
  /** undefined: it was refused, or was not to be signed */
  readonly verified: VerifiedRequest | undefined;
  /** code of the refusal */
  readonly refused: string | undefined;
}

/**
 * A server that takes only requests that AWS would take: every signature is checked, also of each chunk of a body.
 *
 * Speaks enough of S3, STS, Secrets Manager and SSO for the stock `aws` command.
 */
export class AwsServer implements AsyncDisposable {
  readonly account = new AwsAccount();
  readonly store = new ObjectStore();
  readonly records: AwsRecord[] = [];
  readonly #clock: { now(): number };
  readonly #server: Server | TlsServer;
  readonly port: number;
  readonly url: string;

  private constructor(server: Server | TlsServer, port: number, url: string, clock: { now(): number }) {
    this.#server = server;
    this.#clock = clock;
    this.port = port;
    this.url = url;
  }

  static async start(options: AwsServerOptions = {}): Promise<AwsServer> {
    const { tls } = options;
    const box: { server?: AwsServer } = {};
    const listener: RequestListener = async (message, response) => {
      const answer = await box.server?.answer(await readIncoming(message));
      response.writeHead(answer?.status ?? 500, {
        ...(answer?.type === undefined ? {} : { 'content-type': answer.type }),
        'x-amz-request-id': 'TEST',
        ...answer?.headers,
        'content-length': Buffer.byteLength(answer?.body ?? ''),
      });
      response.end(message.method === 'HEAD' ? undefined : answer?.body);
    };
    const server =
      tls === undefined ? createServer(listener) : createTlsServer(await tls.ca.issue(tls.names), listener);
    const port = await listenOnFreePort(server);
    const url = tls === undefined ? `http://127.0.0.1:${port}` : `https://${tls.names[0]}:${port}`;
    box.server = new AwsServer(server, port, url, options.clock ?? { now: () => Date.now() });
    return box.server;
  }

  /** Checks and answers one request. */
  answer(request: IncomingRequest): Answer {
    let verified: VerifiedRequest | undefined;
    try {
      const now = this.#clock.now();
      if (request.rawPath === '/federation/credentials') {
        const answer = answerSso(request, this.account, now);
        this.records.push({ request, verified, refused: undefined });
        return answer;
      }
      verified = verifyRequest(request, this.account, now);
      const answer = this.#serve(request, verified, now);
      this.records.push({ request, verified, refused: undefined });
      return answer;
    } catch (error) {
      const refusal =
        error instanceof AwsRefusal ? error : new AwsRefusal(500, 'InternalError', String(error));
      this.records.push({ request, verified, refused: refusal.code });
      return refusalAnswer(request, refusal);
    }
  }

  #serve(request: IncomingRequest, verified: VerifiedRequest, now: number): Answer {
    if (verified.service === 'sts') return answerSts(verified, this.account, now);
    if (verified.service === 'secretsmanager') return answerSecretsManager(request, verified, this.account);
    if (verified.service.startsWith('s3')) return answerS3(request, verified.body, this.store);
    return { status: 200, type: 'application/json', body: '{}' };
  }

  close(): Promise<void> {
    return closeServer(this.#server);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }
}

function refusalAnswer(request: IncomingRequest, { status, code, message, details }: AwsRefusal): Answer {
  const isJson =
    headerText(request, 'x-amz-target') !== undefined || request.rawPath.startsWith('/federation');
  if (isJson) {
    const type = 'application/x-amz-json-1.1';
    return {
      status,
      type,
      headers: { 'x-amzn-errortype': code },
      body: JSON.stringify({ __type: code, message }),
    };
  }
  const inside = elements({ Code: code, Message: message, ...details });
  const isQuery = /x-www-form-urlencoded/.test(headerText(request, 'content-type') ?? '');
  const body = isQuery
    ? `<ErrorResponse><Error><Type>Sender</Type>${inside}</Error><RequestId>TEST</RequestId></ErrorResponse>`
    : `<Error>${inside}<RequestId>TEST</RequestId></Error>`;
  return { status, type: 'application/xml', body: document(body) };
}
