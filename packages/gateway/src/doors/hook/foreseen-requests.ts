import type { Action } from '@sallyport/protocol';

/** What a pattern would read as something else. */
const SPECIAL = /[*?[\]{}!()\\\s]/;

/**
 * Selectors of the requests that a shell line will make, where its classifier knows them (curl): whoever said yes to the
 * line need not be asked once more when the request reaches the proxy.
 */
export function foreseenRequests({ target }: Action): readonly string[] {
  if (target.kind !== 'command' || target.unknown !== undefined) return [];
  return target.commands.flatMap(({ request, unknown }) => {
    if (request === undefined || unknown !== undefined || !URL.canParse(request.url)) return [];
    const { protocol, hostname, port, pathname } = new URL(request.url);
    if (protocol !== 'https:' && protocol !== 'http:') return [];
    const number = port === '' ? (protocol === 'https:' ? '443' : '80') : port;
    const where = `${hostname}:${number}${pathname}`;
    return SPECIAL.test(where) || SPECIAL.test(request.method) ? [] : [`http(${request.method} ${where})`];
  });
}
