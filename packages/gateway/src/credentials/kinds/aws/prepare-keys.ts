import { Secret } from '../../../shared/secret.ts';
import type { PrepareContext, PreparedCredential } from '../kind.ts';
import { readAgentSigning } from './agent-signing.ts';
import type { AwsKeys } from './aws-keys.ts';
import type { AwsPart } from './aws-part.ts';
import { mustHaveBody } from './payload.ts';
import { splitTarget } from './query.ts';
import { resign } from './resign.ts';
import { resolveScope } from './signing-scope.ts';

export interface PreparedKeys {
  readonly part: AwsPart;
  readonly keys: AwsKeys;
  /** region of endpoints that name none */
  readonly region: string | undefined;
  /** ms since epoch; undefined for keys that last */
  readonly expiresAt?: number;
}

/** A credential that signs requests to AWS with `keys`, whichever way they were come by. */
export function prepareKeys(
  { part, keys, region, expiresAt }: PreparedKeys,
  context: PrepareContext,
): PreparedCredential {
  const values = [keys.secretAccessKey, keys.sessionToken, keys.accessKeyId]
    .filter((value) => value !== undefined)
    .map((value) => new Secret(value));
  for (const value of values) context.learn(value);
  return {
    ...(expiresAt === undefined ? {} : { expiresAt }),
    values,
    needsWholeBody(request) {
      const agent = readAgentSigning(request.agentAuthorization, splitTarget(request.target).query);
      return mustHaveBody(request, resolveScope(request, agent, region).service);
    },
    apply: (request, sent) => resign(request, { part, keys, region, clock: context.clock }, sent),
  };
}
