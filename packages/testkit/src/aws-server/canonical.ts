import { createHash } from 'node:crypto';
import { headerText, type IncomingRequest, queryPairs } from './incoming.ts';

/**
 * The canonical request of AWS's documentation, written from it and not from any library: what proves a signature
 * must not share the mistakes of what made it.
 */
export function canonicalRequest(
  request: IncomingRequest,
  options: { readonly service: string; readonly signedHeaders: readonly string[]; readonly payload: string },
): string {
  const headers = options.signedHeaders.map((name) => {
    const text = Buffer.from(headerText(request, name) ?? '', 'latin1').toString('utf8');
    return `${name}:${text.trim().replace(/\s+/g, ' ')}\n`;
  });
  return [
    request.method,
    options.service.startsWith('s3') ? s3Path(request.rawPath) : plainPath(request.rawPath),
    canonicalQuery(request.rawQuery),
    headers.join(''),
    options.signedHeaders.join(';'),
    options.payload,
  ].join('\n');
}

export function sha256Hex(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}

/** Every byte but letters, digits and `-._~` is escaped. */
export function uriEncode(text: string): string {
  return [...Buffer.from(text, 'utf8')]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      return /[A-Za-z0-9\-._~]/.test(char) ? char : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function s3Path(rawPath: string): string {
  return rawPath
    .split('/')
    .map((segment) => uriEncode(decodeURIComponent(segment)))
    .join('/');
}

/** Other services: relative segments resolved, and what stands in the URL escaped once more. */
function plainPath(rawPath: string): string {
  const segments: string[] = [];
  for (const segment of rawPath.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment === '..') segments.pop();
    else segments.push(uriEncode(segment));
  }
  const end = segments.length > 0 && rawPath.endsWith('/') ? '/' : '';
  return `/${segments.join('/')}${end}`;
}

function canonicalQuery(rawQuery: string): string {
  return queryPairs(rawQuery)
    .filter(([name]) => name !== 'X-Amz-Signature')
    .map(([name, value]): [string, string] => [uriEncode(name), uriEncode(value)])
    .toSorted(([a, x], [b, y]) => (a === b ? compare(x, y) : compare(a, b)))
    .map(([name, value]) => `${name}=${value}`)
    .join('&');
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
