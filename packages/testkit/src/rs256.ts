import { generateKeyPairSync, type KeyObject, verify } from 'node:crypto';

interface KeyPair {
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

const made: KeyPair[] = [];

/** The pair of RSA keys with this number: made once, because that takes long, and given to every test that asks. */
export function rsaKeys(number: number): KeyPair {
  const found = made[number] ?? generateKeyPairSync('rsa', { modulusLength: 2048 });
  made[number] = found;
  return found;
}

export type Claims = Readonly<Record<string, unknown>>;

/** The claims of a JWT that this key signed with RS256; undefined for everything else. Looks at no time. */
export function readRs256Jwt(token: string, key: KeyObject): Claims | undefined {
  const [head = '', body = '', signature = '', ...more] = token.split('.');
  const header = parse(head);
  const claims = parse(body);
  if (more.length > 0 || header?.alg !== 'RS256' || claims === undefined) return undefined;
  const isSigned = verify('sha256', Buffer.from(`${head}.${body}`), key, Buffer.from(signature, 'base64url'));
  return isSigned ? claims : undefined;
}

function parse(part: string): Claims | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString());
    // `as`: a JSON object; whoever uses a claim looks at its type.
    return typeof value === 'object' && value !== null ? (value as Claims) : undefined;
  } catch {
    return undefined;
  }
}
