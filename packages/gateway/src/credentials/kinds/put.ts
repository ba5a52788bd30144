import type { OutgoingRequest } from '../../shared/http-message.ts';

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
