import { randomBytes } from 'node:crypto';

/** One pair of keys that the server knows. */
export interface ServerKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string;
  /** ms since epoch */
  readonly expiresAt?: number;
  /** whom they stand for */
  readonly arn: string;
}

/** The keys, roles and secrets of an account. Everything can be changed while the server runs. */
export class AwsAccount {
  readonly id = '123456789012';
  readonly #keys = new Map<string, ServerKeys>();
  /** role ARN → external id that it asks for */
  readonly roles = new Map<string, string | undefined>();
  /** name → value */
  readonly secrets = new Map<string, string | Uint8Array>();
  /** SSO access tokens that are good */
  readonly ssoTokens = new Set<string>();
  #made = 0;

  addUser(name: string): ServerKeys {
    const keys = {
      accessKeyId: `AKIATEST${String(++this.#made).padStart(12, '0')}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      arn: `arn:aws:iam::${this.id}:user/${name}`,
    };
    this.#keys.set(keys.accessKeyId, keys);
    return keys;
  }

  addSession(arn: string, expiresAt: number): ServerKeys & { readonly sessionToken: string } {
    const keys = {
      accessKeyId: `ASIATEST${String(++this.#made).padStart(12, '0')}`,
      secretAccessKey: randomBytes(30).toString('base64'),
      sessionToken: randomBytes(180).toString('base64'),
      expiresAt,
      arn,
    };
    this.#keys.set(keys.accessKeyId, keys);
    return keys;
  }

  find(accessKeyId: string): ServerKeys | undefined {
    return this.#keys.get(accessKeyId);
  }

  revoke(accessKeyId: string): void {
    this.#keys.delete(accessKeyId);
  }
}
