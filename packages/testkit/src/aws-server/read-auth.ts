import { AwsRefusal } from './answer.ts';
import { headerText, type IncomingRequest } from './incoming.ts';

/** What a request says about how it is signed. */
export interface ReadAuth {
  readonly algorithm: 'AWS4-HMAC-SHA256' | 'AWS4-ECDSA-P256-SHA256';
  readonly accessKeyId: string;
  /** date, region, service, `aws4_request`; no region for SigV4a */
  readonly scope: readonly string[];
  readonly signedHeaders: readonly string[];
  readonly signature: string;
  readonly longDate: string;
  readonly place: 'header' | 'query';
  readonly expires: number | undefined;
  readonly sessionToken: string | undefined;
}

/** Throws what AWS answers to a request that is not signed, signed twice, or malformed. */
export function readAuth(request: IncomingRequest): ReadAuth {
  const header = request.headers.get('authorization');
  const presigned = request.query.has('X-Amz-Signature');
  if (header !== undefined && (presigned || header.length > 1)) {
    throw new AwsRefusal(400, 'InvalidArgument', 'Only one auth mechanism allowed');
  }
  if (presigned) return fromQuery(request);
  if (header === undefined) throw new AwsRefusal(403, 'MissingAuthenticationToken', 'Request is not signed');
  const [algorithm = '', rest = ''] = splitOnce(header[0] ?? '', ' ');
  const fields = new Map(rest.split(',').map((field) => splitOnce(field.trim(), '=')));
  return finish(algorithm, fields.get('Credential'), fields.get('SignedHeaders'), fields.get('Signature'), {
    longDate: headerText(request, 'x-amz-date') ?? '',
    place: 'header',
    expires: undefined,
    sessionToken: headerText(request, 'x-amz-security-token'),
  });
}

function fromQuery({ query }: IncomingRequest): ReadAuth {
  const get = (name: string): string | undefined => query.get(`X-Amz-${name}`);
  const expires = Number(get('Expires'));
  if (!Number.isInteger(expires) || expires < 1 || expires > 604_800) {
    throw new AwsRefusal(400, 'AuthorizationQueryParametersError', 'X-Amz-Expires must be 1 to 604800');
  }
  return finish(get('Algorithm') ?? '', get('Credential'), get('SignedHeaders'), get('Signature'), {
    longDate: get('Date') ?? '',
    place: 'query',
    expires,
    sessionToken: get('Security-Token'),
  });
}

function finish(
  algorithm: string,
  credential: string | undefined,
  signedHeaders: string | undefined,
  signature: string | undefined,
  rest: Pick<ReadAuth, 'longDate' | 'place' | 'expires' | 'sessionToken'>,
): ReadAuth {
  if (algorithm !== 'AWS4-HMAC-SHA256' && algorithm !== 'AWS4-ECDSA-P256-SHA256') {
    throw new AwsRefusal(400, 'InvalidRequest', 'The authorization mechanism is not supported');
  }
  const [accessKeyId = '', ...scope] = (credential ?? '').split('/');
  const wanted = algorithm === 'AWS4-HMAC-SHA256' ? 4 : 3;
  const names = (signedHeaders ?? '').split(';');
  const sorted =
    names.toSorted().join() === names.join() && names.every((name) => name === name.toLowerCase());
  if (scope.length !== wanted || scope.at(-1) !== 'aws4_request' || signature === undefined || !sorted) {
    throw new AwsRefusal(400, 'AuthorizationHeaderMalformed', 'The authorization header is malformed');
  }
  if (!/^\d{8}T\d{6}Z$/.test(rest.longDate) || rest.longDate.slice(0, 8) !== scope[0]) {
    throw new AwsRefusal(403, 'SignatureDoesNotMatch', 'Date in Credential scope does not match x-amz-date');
  }
  return { algorithm, accessKeyId, scope, signedHeaders: names, signature, ...rest };
}

function splitOnce(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + mark.length)];
}
