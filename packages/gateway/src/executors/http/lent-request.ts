import type { Header, OutgoingRequest } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';

/** Headers that ask for a form of answer that cannot be looked into, part by part or frame by frame. */
const NOT_PASSED: ReadonlySet<string> = new Set([
  'a-im',
  'accept-encoding',
  'connect-accept-encoding',
  'cookie',
  'grpc-accept-encoding',
  'if-range',
  'range',
  'sec-websocket-extensions',
]);

/** Kinds that sign send no secret, so no part of an answer can hold a part of it. */
const BY_SIGNATURE_ONLY: ReadonlySet<string> = new Set(['if-range', 'range']);

/** Takes out of a request with a credential whatever would make its answer unreadable, and puts our cookies in. */
export function prepareLentRequest(request: OutgoingRequest, cookies: string, isSigned: boolean): void {
  const kept: Header[] = [];
  let [wantsGzip, isGrpc] = [false, false];
  for (const header of request.headers) {
    const lower = lowerFieldName(header[0]);
    if (lower === 'accept-encoding') wantsGzip ||= /\bgzip\b/i.test(header[1]);
    else if (lower === 'grpc-accept-encoding') isGrpc = true;
    if (!NOT_PASSED.has(lower) || (isSigned && BY_SIGNATURE_ONLY.has(lower))) kept.push(header);
  }
  if (wantsGzip) kept.push(['accept-encoding', 'gzip']);
  if (isGrpc) kept.push(['grpc-accept-encoding', 'identity']);
  if (cookies !== '') kept.push(['cookie', cookies]);
  request.headers = kept;
}
