import type { Header, OutgoingRequest } from '../../../shared/http-message.ts';
import type { AgentSigning } from './agent-signing.ts';

/** What AWS makes part of every signature, or we write anew. */
const NEVER_SIGNED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'authorization',
  'content-length',
  'date',
  'host',
  'x-amz-date',
  'x-amz-security-token',
]);
const ALWAYS_SIGNED: ReadonlySet<string> = new Set(['content-md5', 'content-type']);
/** The agent's own auth: it never goes on. */
const REPLACED: ReadonlySet<string> = new Set([
  'authorization',
  'date',
  'x-amz-date',
  'x-amz-security-token',
]);

/** The one value of a header; several are joined as HTTP says. */
export function headerOf(headers: readonly Header[], name: string): string | undefined {
  const values = headers.filter(([other]) => other.toLowerCase() === name).map(([, value]) => value);
  return values.length === 0 ? undefined : values.join(',');
}

/** Takes away what a signature of the agent's own left, and every field of `fresh`, then puts `fresh` in. */
export function replaceHeaders(request: OutgoingRequest, fresh: readonly Header[]): void {
  const names = new Set([...REPLACED, ...fresh.map(([name]) => name.toLowerCase())]);
  const kept = request.headers.filter(([name]) => !names.has(name.toLowerCase()));
  request.headers = [...kept, ...fresh];
}

/**
 * The fields that are signed: the host, every `x-amz-*`, what describes the body, and whatever the agent signed and
 * is still there. Fields that proxies on the way may change are not.
 */
export function headersToSign(
  request: OutgoingRequest,
  agent: AgentSigning | undefined,
): Record<string, string> {
  const chosen: Record<string, string> = { host: hostHeader(request) };
  for (const [name] of request.headers) {
    const lower = name.toLowerCase();
    const wanted =
      ALWAYS_SIGNED.has(lower) || lower.startsWith('x-amz-') || agent?.signedHeaders.includes(lower) === true;
    if (!wanted || NEVER_SIGNED.has(lower) || Object.hasOwn(chosen, lower)) continue;
    // Fields are bytes, one character each; what is signed is their text in UTF-8.
    chosen[lower] = Buffer.from(headerOf(request.headers, lower) ?? '', 'latin1').toString('utf8');
  }
  return chosen;
}

/** As it will be sent: the port only where the scheme does not imply it. */
function hostHeader({ scheme, host, port }: OutgoingRequest): string {
  const name = host.includes(':') ? `[${host}]` : host;
  return port === (scheme === 'https' ? 443 : 80) ? name : `${name}:${port}`;
}
