import type { Header, OutgoingRequest } from '../../shared/http-message.ts';

/** Headers that ask for a form of answer that cannot be looked into, part by part or frame by frame. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'accept-encoding',
  'cookie',
  'grpc-accept-encoding',
  'if-range',
  'range',
  'sec-websocket-extensions',
]);

/** Takes out of a request with a credential whatever would make its answer unreadable, and puts our cookies in. */
export function prepareLentRequest(request: OutgoingRequest, cookies: string): void {
  const wantsGzip = request.headers.some(
    ([name, value]) => name.toLowerCase() === 'accept-encoding' && /\bgzip\b/i.test(value),
  );
  const isGrpc = request.headers.some(([name]) => name.toLowerCase() === 'grpc-accept-encoding');
  const kept: Header[] = request.headers.filter(([name]) => !NOT_PASSED.has(name.toLowerCase()));
  if (wantsGzip) kept.push(['accept-encoding', 'gzip']);
  if (isGrpc) kept.push(['grpc-accept-encoding', 'identity']);
  if (cookies !== '') kept.push(['cookie', cookies]);
  request.headers = kept;
}
