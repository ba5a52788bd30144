import { sessionTokenHash } from '../../../identity/index.ts';
import { explainForeignRequest, type HostPolicy, presentedToken } from '../../../servers/index.ts';
import { MCP_BODY_BYTES } from '../protocol/routes.ts';

/** A message to the MCP door about which nothing is unusual. */
export interface PlainMessage {
  /** of its token, which is then read once for all messages of a connection */
  readonly tokenHash: string;
  readonly server: string | undefined;
  readonly accept: string;
  readonly clientId: string | undefined;
  readonly protocolVersion: string | undefined;
}

/** Headers that are looked at, each of which may come once. Anything that changes how a message is read is not plain. */
const KNOWN: ReadonlySet<string> = new Set([
  'host',
  'authorization',
  'content-type',
  'content-length',
  'accept',
  'mcp-session-id',
  'mcp-protocol-version',
]);
const UNUSUAL: ReadonlySet<string> = new Set([
  'origin',
  'sec-fetch-site',
  'transfer-encoding',
  'content-encoding',
  'expect',
  'upgrade',
  'last-event-id',
]);
const ADDRESS = /^\/mcp(?:\/([a-z0-9][a-z0-9._-]{0,63}))?$/;

/** What a POST to this address with these headers is; undefined when it is not plain, which refuses nobody. */
export function readPlainMessage(
  url: string,
  headers: Iterable<readonly [string, string]>,
  policy: HostPolicy,
): PlainMessage | undefined {
  const address = ADDRESS.exec(url);
  if (address === null) return undefined;
  const seen = new Map<string, string>();
  for (const [sent, value] of headers) {
    const name = sent.toLowerCase();
    if (UNUSUAL.has(name)) return undefined;
    if (!KNOWN.has(name)) continue;
    // SECURITY: which of two counts, nobody can say.
    if (seen.has(name)) return undefined;
    seen.set(name, value);
  }
  if (!isPlainLength(seen.get('content-length') ?? '')) return undefined;
  if (seen.get('content-type') !== 'application/json') return undefined;
  const host = [seen.get('host') ?? ''];
  if (explainForeignRequest({ host, origin: [], fetchSite: undefined }, policy) !== undefined)
    return undefined;
  const authorization = seen.get('authorization');
  if (authorization === undefined) return undefined;
  const presented = presentedToken({ headers: { authorization } });
  const tokenHash = presented.kind === 'token' ? sessionTokenHash(presented.token) : undefined;
  if (tokenHash === undefined) return undefined;
  return {
    tokenHash,
    server: address[1],
    accept: seen.get('accept') ?? '',
    clientId: seen.get('mcp-session-id'),
    protocolVersion: seen.get('mcp-protocol-version'),
  };
}

export function isPlainLength(length: string): boolean {
  return /^[1-9]\d{0,6}$/.test(length) && Number(length) <= MCP_BODY_BYTES;
}
