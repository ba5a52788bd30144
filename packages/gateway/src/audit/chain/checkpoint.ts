import { type KeyObject, sign, verify } from 'node:crypto';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { keyIdOf, type SigningKey } from './signing-key.ts';

/** The gateway's signature under a chain as it stood at `seq`. The same fields as the row and the anchor line. */
export interface Checkpoint {
  readonly tenant: string;
  readonly seq: number;
  readonly hash: string;
  /** ms since epoch */
  readonly at: number;
  readonly key_id: string;
  /** Ed25519 over the RFC 8785 JSON of {tenant, seq, hash, at}, base64 */
  readonly signature: string;
}

/** What a checkpoint states; the signature covers exactly this. */
export type Statement = Pick<Checkpoint, 'tenant' | 'seq' | 'hash' | 'at'>;

/** Public keys by key id. */
export type TrustedKeys = ReadonlyMap<string, KeyObject>;

export function signCheckpoint(statement: Statement, key: SigningKey): Checkpoint {
  const signature = sign(null, statementBytes(statement), key.privateKey).toString('base64');
  return { ...statement, key_id: key.keyId, signature };
}

export function trustKeys(keys: readonly KeyObject[]): TrustedKeys {
  return new Map(keys.map((key) => [keyIdOf(key), key]));
}

/** Why a checkpoint proves nothing; `undefined` when it is genuine. */
export function checkpointProblem(checkpoint: Checkpoint, keys: TrustedKeys): string | undefined {
  const key = keys.get(checkpoint.key_id);
  if (key === undefined) return `checkpoint is signed with the unknown key \`${checkpoint.key_id}\``;
  const signature = Buffer.from(checkpoint.signature, 'base64');
  // Base64 has unused bits: without this a changed last letter would decode to the same signature.
  if (signature.toString('base64') !== checkpoint.signature) return 'checkpoint has a bad signature';
  const { tenant, seq, hash, at } = checkpoint;
  return verify(null, statementBytes({ tenant, seq, hash, at }), key, signature)
    ? undefined
    : 'checkpoint has a bad signature';
}

function statementBytes({ tenant, seq, hash, at }: Statement): Buffer {
  return Buffer.from(canonicalJson({ tenant, seq, hash, at }));
}
