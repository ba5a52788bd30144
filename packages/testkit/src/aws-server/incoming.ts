import type { IncomingMessage } from 'node:http';

/** A request as it came over the wire, body included. */
export interface IncomingRequest {
  readonly method: string;
  readonly rawPath: string;
  /** raw, between `?` and the end */
  readonly rawQuery: string;
  /** decoded, last value wins */
  readonly query: ReadonlyMap<string, string>;
  /** lower-case names; values of equal names in order */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: Buffer;
}

export async function readIncoming(message: IncomingMessage): Promise<IncomingRequest> {
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk);
  const headers = new Map<string, string[]>();
  for (let index = 0; index + 1 < message.rawHeaders.length; index += 2) {
    const name = (message.rawHeaders[index] ?? '').toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), message.rawHeaders[index + 1] ?? '']);
  }
  const [rawPath = '', ...rest] = (message.url ?? '').split('?');
  const rawQuery = rest.join('?');
  const query = new Map(queryPairs(rawQuery));
  return { method: message.method ?? '', rawPath, rawQuery, query, headers, body: Buffer.concat(chunks) };
}

export function headerText(request: IncomingRequest, name: string): string | undefined {
  return request.headers.get(name)?.join(',');
}

export function queryPairs(rawQuery: string): [string, string][] {
  return rawQuery
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.split('=');
      return [unescapeText(name), unescapeText(value.join('='))];
    });
}

export function unescapeText(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
