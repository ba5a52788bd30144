import type { OutgoingRequest } from '../../shared/http-message.ts';
import { Secret } from '../../shared/secret.ts';
import type { PreparedCredential } from './kind.ts';

/** Sets a header, in place of every one of that name, whatever its case. */
export function putHeader(request: OutgoingRequest, name: string, value: string): void {
  const wanted = name.toLowerCase();
  const { headers } = request;
  for (let index = headers.length - 1; index >= 0; index -= 1) {
    if (headers[index]?.[0].toLowerCase() === wanted) headers.splice(index, 1);
  }
  headers.push([name, value]);
}

/** Sets a parameter of the query, in place of every one of that name, however it was written. */
export function putQuery(request: OutgoingRequest, name: string, value: string): void {
  const [path = '', ...rest] = request.target.split('?');
  const kept = rest
    .join('?')
    .split('&')
    .filter((part) => part !== '' && decodedPart(part.split('=', 1)[0] ?? '') !== name);
  const own = `${encodeURIComponent(name)}=${encodeURIComponent(value)}`;
  request.target = `${path}?${[...kept, own].join('&')}`;
}

/** The text of a part of a query or form; itself when it is encoded wrongly. */
export function decodedPart(part: string): string {
  try {
    return decodeURIComponent(part.replaceAll('+', ' '));
  } catch {
    return part;
  }
}

/** A credential that is one text, sent in one header. */
export function inHeader(value: string, header: string, text: string = value): PreparedCredential {
  const secret = new Secret(value);
  return {
    value: secret,
    values: [secret],
    apply(request) {
      putHeader(request, header, text);
      return undefined;
    },
  };
}

/** `Authorization: Bearer …`. */
export function asBearer(value: string): PreparedCredential {
  return inHeader(value, 'authorization', `Bearer ${value}`);
}

/** `user:password` as Basic authentication writes it. */
export function basicText(user: string, password: string): string {
  return `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`;
}
