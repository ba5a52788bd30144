import { Secret } from '../../../shared/secret.ts';
import type { PrepareContext, PreparedCredential } from '../kind.ts';
import { readAgentSigning } from './agent-signing.ts';
import type { AwsKeys } from './aws-keys.ts';
import { mustHaveBody } from './payload.ts';
import { splitTarget } from './query.ts';
import { resign } from './resign.ts';
import { loadSigners } from './signers.ts';
import { resolveScope } from './signing-scope.ts';

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
