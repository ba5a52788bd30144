import { request } from 'node:http';
import { WorkerError } from './worker-error.ts';

const ANSWER_BYTES = 32 * 1024 * 1024;

export interface JsonAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * One message on a connection of its own, without a limit in time: a person may have to answer first.
 *
 * Throws `GatewayUnreachable`. In a jail a forwarder takes every connection, so nobody can say then whether the
 * gateway has seen the message.
 */
export function exchangeJson(url: URL, message?: unknown): Promise<JsonAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<JsonAnswer>();
  const fail = (cause: unknown): void =>
    reject(new WorkerError('GatewayUnreachable', 'the connection to the gateway broke', cause));
  const body = message === undefined ? undefined : Buffer.from(JSON.stringify(message));
  const sent = request(url, {
    method: body === undefined ? 'GET' : 'POST',
    agent: false,
    headers: body === undefined ? {} : { 'content-type': 'application/json', 'content-length': body.length },
  });
  sent.once('error', fail);
  sent.once('response', (response) => {
    const pieces: Uint8Array[] = [];
    let size = 0;
    response.on('data', (piece: Uint8Array) => {
      size += piece.length;
      if (size > ANSWER_BYTES) response.destroy(new Error('the answer is too large'));
      else pieces.push(piece);
    });
    response.once('error', fail);
    response.once('end', () => {
      try {
        resolve({ status: response.statusCode ?? 0, body: JSON.parse(Buffer.concat(pieces).toString()) });
      } catch (cause) {
        fail(cause);
      }
    });
  });
  sent.end(body);
  return promise;
}
