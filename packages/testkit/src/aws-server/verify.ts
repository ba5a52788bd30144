import type { AwsAccount, ServerKeys } from './account.ts';
import { AwsRefusal } from './answer.ts';
import { canonicalRequest, sha256Hex } from './canonical.ts';
import { decodeChunked } from './chunked-body.ts';
import { headerText, type IncomingRequest } from './incoming.ts';
import { type ReadAuth, readAuth } from './read-auth.ts';
import { ecdsaCheck, hmacCheck, type SignatureCheck } from './signature-check.ts';

/** A request whose signature is right. */
export interface VerifiedRequest {
  readonly keys: ServerKeys;
  readonly algorithm: ReadAuth['algorithm'];
  readonly place: ReadAuth['place'];
  readonly service: string;
  /** region, or region set of SigV4a */
  readonly region: string;
  /** `x-amz-content-sha256`, or `implied` */
  readonly payload: string;
  /** signed chunks of the body */
  readonly chunks: number;
  /** decoded */
  readonly body: Buffer;
}

const SKEW_MS = 15 * 60_000;

/** Checks what AWS checks. Throws `AwsRefusal`. */
export function verifyRequest(request: IncomingRequest, account: AwsAccount, now: number): VerifiedRequest {
  const auth = readAuth(request);
  const service = auth.scope.at(-2) ?? '';
  const keys = knownKeys(auth, account, now);
  checkDate(auth, now);
  checkHeaders(request, auth);
  const isV4 = auth.algorithm === 'AWS4-HMAC-SHA256';
  const check = isV4
    ? hmacCheck(keys.secretAccessKey, auth.scope)
    : ecdsaCheck(keys.accessKeyId, keys.secretAccessKey);
  const payload = payloadOf(request, auth, service);
  checkSignature(request, auth, service, payload, check);
  const region = isV4 ? (auth.scope[1] ?? '') : (headerText(request, 'x-amz-region-set') ?? '');
  const { data, chunks } = bodyOf(request, auth, payload, check);
  const named = headerText(request, 'x-amz-content-sha256') ?? 'implied';
  return {
    keys,
    algorithm: auth.algorithm,
    place: auth.place,
    service,
    region,
    payload: named,
    chunks,
    body: data,
  };
}

function knownKeys(auth: ReadAuth, account: AwsAccount, now: number): ServerKeys {
  const keys = account.find(auth.accessKeyId);
  if (keys === undefined) {
    throw new AwsRefusal(403, 'InvalidAccessKeyId', 'The access key id does not exist', {
      AWSAccessKeyId: auth.accessKeyId,
    });
  }
  if (keys.sessionToken !== auth.sessionToken) {
    throw new AwsRefusal(403, 'InvalidClientTokenId', 'The security token is invalid');
  }
  if (keys.expiresAt !== undefined && keys.expiresAt <= now) {
    throw new AwsRefusal(403, 'ExpiredToken', 'The security token has expired');
  }
  return keys;
}

function checkDate(auth: ReadAuth, now: number): void {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/.exec(auth.longDate) ?? [];
  const at = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (auth.expires !== undefined) {
    if (now > at + auth.expires * 1_000) throw new AwsRefusal(403, 'AccessDenied', 'Request has expired');
    if (at > now + SKEW_MS) throw new AwsRefusal(403, 'AccessDenied', 'Request is not valid yet');
    return;
  }
  if (!(Math.abs(now - at) <= SKEW_MS)) {
    throw new AwsRefusal(403, 'RequestTimeTooSkewed', 'The difference between the clocks is too large');
  }
}

/** The host and every `x-amz-*` must be signed, and nothing may be signed that is not there. */
function checkHeaders(request: IncomingRequest, auth: ReadAuth): void {
  const signed = new Set(auth.signedHeaders);
  const unsigned = [...request.headers.keys()].filter(
    (name) =>
      (name === 'host' || name.startsWith('x-amz-')) &&
      !signed.has(name) &&
      !(auth.place === 'query' && name === 'x-amz-content-sha256'),
  );
  const absent = auth.signedHeaders.filter((name) => !request.headers.has(name));
  if (unsigned.length > 0 || absent.length > 0) {
    throw new AwsRefusal(
      403,
      'AccessDenied',
      'There were headers present in the request which were not signed',
      {
        HeadersNotSigned: [...unsigned, ...absent].join(', '),
      },
    );
  }
}

function payloadOf(request: IncomingRequest, auth: ReadAuth, service: string): string {
  const named = headerText(request, 'x-amz-content-sha256');
  if (!service.startsWith('s3')) return named === undefined ? sha256Hex(request.body) : named;
  if (named !== undefined) return named;
  if (auth.place === 'query') return 'UNSIGNED-PAYLOAD';
  throw new AwsRefusal(400, 'MissingSecurityHeader', 'x-amz-content-sha256 is missing');
}

function checkSignature(
  request: IncomingRequest,
  auth: ReadAuth,
  service: string,
  payload: string,
  check: SignatureCheck,
): void {
  const canonical = canonicalRequest(request, { service, signedHeaders: auth.signedHeaders, payload });
  const text = [auth.algorithm, auth.longDate, auth.scope.join('/'), sha256Hex(canonical)].join('\n');
  if (check(text, auth.signature)) return;
  throw new AwsRefusal(403, 'SignatureDoesNotMatch', 'The signature that we calculated does not match', {
    AWSAccessKeyId: auth.accessKeyId,
    StringToSign: text,
    SignatureProvided: auth.signature,
    CanonicalRequest: canonical,
  });
}

function bodyOf(
  request: IncomingRequest,
  auth: ReadAuth,
  payload: string,
  check: SignatureCheck,
): { readonly data: Buffer; readonly chunks: number } {
  const whole = { data: request.body, chunks: 0 };
  if (payload === 'UNSIGNED-PAYLOAD') return whole;
  if (payload === 'STREAMING-UNSIGNED-PAYLOAD-TRAILER') return decodeChunked(request, undefined);
  const { algorithm, longDate, scope } = auth;
  if (payload === `STREAMING-${algorithm}-PAYLOAD` || payload === `STREAMING-${algorithm}-PAYLOAD-TRAILER`) {
    return decodeChunked(request, { algorithm, longDate, scope, seed: auth.signature, check });
  }
  if (payload === sha256Hex(request.body)) return whole;
  throw new AwsRefusal(400, 'XAmzContentSHA256Mismatch', 'The provided x-amz-content-sha256 does not match');
}
