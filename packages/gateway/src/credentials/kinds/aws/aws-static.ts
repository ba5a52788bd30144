import { SallyportError } from '@sallyport/protocol';
import { Secret } from '../../../shared/secret.ts';
import { findAws } from '../found.ts';
import type { CredentialKind, KindPlaces, PrepareContext, PreparedCredential } from '../kind.ts';
import { readAgentSigning } from './agent-signing.ts';
import { type AwsKeys, parseAwsKeys } from './aws-keys.ts';
import { mustHaveBody } from './payload.ts';
import { splitTarget } from './query.ts';
import { resign } from './resign.ts';
import { loadSigners } from './signers.ts';
import { resolveScope } from './signing-scope.ts';

/** Where AWS serves; keys of AWS go nowhere else unless the config names a host. */
export const AWS_HOSTS = ['*.amazonaws.com', '*.amazonaws.com.cn', '*.api.aws'] as const;

/** What an SDK that signs with a placeholder writes it into: the request is signed anew, nothing of that is sent. */
export const AWS_PLACES: KindPlaces = {
  headers: ['authorization', 'x-amz-security-token'],
  query: ['X-Amz-Credential', 'X-Amz-Signature', 'X-Amz-Security-Token'],
  namesOnly: true,
};

export interface PreparedKeys {
  readonly keys: AwsKeys;
  /** region of endpoints that name none */
  readonly region: string | undefined;
  /** when AWS stops to take them, in ms since epoch; undefined for keys that last */
  readonly expiresAt?: number;
}

/** Keys are not lent in their last minutes: a long upload begun with them would outlive them. */
const LAST_MS = 240_000;

/** A credential that signs requests to AWS with `keys`, whichever way they were come by. */
export async function prepareKeys(
  { keys, region, expiresAt }: PreparedKeys,
  context: PrepareContext,
): Promise<PreparedCredential> {
  const signers = await loadSigners();
  const values = [keys.secretAccessKey, keys.sessionToken, keys.accessKeyId]
    .filter((value) => value !== undefined)
    .map((value) => new Secret(value));
  for (const value of values) context.learn(value);
  return {
    ...(expiresAt === undefined ? {} : { expiresAt: expiresAt - LAST_MS }),
    isSigned: true,
    values,
    parts: {
      access_key_id: new Secret(keys.accessKeyId),
      secret_access_key: new Secret(keys.secretAccessKey),
      ...(keys.sessionToken === undefined ? {} : { session_token: new Secret(keys.sessionToken) }),
      ...(region === undefined ? {} : { region: new Secret(region) }),
    },
    needsWholeBody(request) {
      if (!request.isStreamed) return false;
      try {
        const agent = readAgentSigning(request.agentAuthorization, splitTarget(request.target).query);
        return mustHaveBody(request, resolveScope(request, agent, region).service);
      } catch {
        // A request that cannot be signed needs nothing: `apply` says what is wrong with it.
        return false;
      }
    },
    apply: (request, sent) => resign(request, { signers, keys, region, clock: context.clock }, sent),
  };
}

/** Keys of AWS that last: requests are signed with them as they are. */
export const awsStaticKind: CredentialKind<'aws_static'> = {
  name: 'aws_static',
  find: findAws,
  hosts: AWS_HOSTS,
  places: AWS_PLACES,
  async prepare(material, options, context) {
    if (material === undefined) throw new SallyportError('SecretUnreadable');
    const keys = parseAwsKeys(material);
    return prepareKeys({ keys, region: options.region }, context);
  },
};
