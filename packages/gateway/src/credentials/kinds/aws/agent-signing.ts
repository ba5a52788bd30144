import { notSignable } from '../kind.ts';

export type AwsAlgorithm = 'AWS4-HMAC-SHA256' | 'AWS4-ECDSA-P256-SHA256';

/** What the agent's own signature, made with a worthless key, says about how the request is meant to be signed. */
export interface AgentSigning {
  readonly algorithm: AwsAlgorithm;
  readonly service: string;
  /** undefined for SigV4a, whose regions stand in a header */
  readonly region: string | undefined;
  /** lower case */
  readonly signedHeaders: readonly string[];
  readonly place: 'header' | 'query';
  /** how long a presigned URL was meant to live, in s */
  readonly expires: number | undefined;
  /** regions of a presigned URL of SigV4a */
  readonly regionSet: string | undefined;
}

/** One parameter of a query, decoded; `raw` is what stands in the URL. */
export interface QueryParameter {
  readonly raw: string;
  readonly name: string;
  readonly value: string;
}

const AUTHORIZATION =
  /^(AWS4-HMAC-SHA256|AWS4-ECDSA-P256-SHA256) +Credential=([^\s,]{1,512})[,\s]+SignedHeaders=([^\s,]{1,8192})[,\s]+Signature=([0-9a-f*]{1,512})$/;
const V4_SCOPE = /^([^/]{1,256})\/\d{8}\/([A-Za-z0-9-]{1,64})\/([A-Za-z0-9-]{1,64})\/aws4_request$/;
const V4A_SCOPE = /^([^/]{1,256})\/\d{8}\/([A-Za-z0-9-]{1,64})\/aws4_request$/;
/** parameters that make a URL presigned: every other one belongs to the request */
const AUTH_PARAMETERS: ReadonlySet<string> = new Set([
  'x-amz-algorithm',
  'x-amz-credential',
  'x-amz-date',
  'x-amz-expires',
  'x-amz-region-set',
  'x-amz-security-token',
  'x-amz-signature',
  'x-amz-signedheaders',
]);

export function isAuthParameter(name: string): boolean {
  return AUTH_PARAMETERS.has(name.toLowerCase());
}

/** Undefined when the agent signed nothing. Throws `RequestNotSignable` for a signature that it cannot read. */
export function readAgentSigning(
  authorization: string | undefined,
  query: readonly QueryParameter[],
): AgentSigning | undefined {
  if (query.some(({ name }) => name.toLowerCase() === 'x-amz-signature')) return fromQuery(query);
  if (query.some(({ name }) => name === 'AWSAccessKeyId')) {
    throw notSignable('the URL is presigned in the old way', 'presign it with signature version 4');
  }
  if (authorization === undefined || !authorization.startsWith('AWS4-')) return undefined;
  const [, algorithm, credential, signedHeaders] = AUTHORIZATION.exec(authorization) ?? [];
  return parse(algorithm, credential, signedHeaders, { place: 'header' });
}

function fromQuery(query: readonly QueryParameter[]): AgentSigning {
  const parameters = new Map<string, string>();
  for (const { name, value } of query) {
    const key = name.toLowerCase();
    if (!isAuthParameter(key)) continue;
    if (parameters.has(key)) throw notSignable(`the query has \`${name}\` twice`);
    parameters.set(key, value);
  }
  const expires = parameters.get('x-amz-expires');
  if (expires !== undefined && !/^[1-9]\d{0,6}$/.test(expires)) {
    throw notSignable('`X-Amz-Expires` is not a number of seconds');
  }
  return parse(
    parameters.get('x-amz-algorithm'),
    parameters.get('x-amz-credential'),
    parameters.get('x-amz-signedheaders'),
    {
      place: 'query',
      expires: expires === undefined ? undefined : Number(expires),
      regionSet: parameters.get('x-amz-region-set'),
    },
  );
}

function parse(
  algorithm: string | undefined,
  credential: string | undefined,
  signedHeaders: string | undefined,
  rest: { place: 'header' | 'query'; expires?: number | undefined; regionSet?: string | undefined },
): AgentSigning {
  const common = {
    signedHeaders: (signedHeaders ?? '').toLowerCase().split(';'),
    place: rest.place,
    expires: rest.expires,
    regionSet: rest.regionSet,
  };
  if (algorithm === 'AWS4-HMAC-SHA256') {
    const [, , region, service] = V4_SCOPE.exec(credential ?? '') ?? [];
    if (region !== undefined && service !== undefined) return { algorithm, region, service, ...common };
  }
  if (algorithm === 'AWS4-ECDSA-P256-SHA256') {
    const [, , service] = V4A_SCOPE.exec(credential ?? '') ?? [];
    if (service !== undefined) return { algorithm, region: undefined, service, ...common };
  }
  throw notSignable('the signature of the request cannot be read', 'sign it with signature version 4');
}
