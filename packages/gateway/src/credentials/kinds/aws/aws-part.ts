import { createHash, createHmac, type Hash, type Hmac } from 'node:crypto';
import { loadPart } from '../../../shared/load-part.ts';
import type { AwsKeys } from './aws-keys.ts';

/** The little that is used of AWS's libraries. */
export interface AwsPart {
  readonly SignatureV4: new (options: SignerOptions) => AwsSigner;
  readonly SignatureV4a: new (options: SignerOptions) => AwsEcdsaSigner;
  getSigningKey(
    sha256: typeof NodeSha256,
    keys: AwsKeys,
    shortDate: string,
    region: string,
    service: string,
  ): Promise<Uint8Array>;
  readonly STSClient: AwsClient;
  readonly AssumeRoleCommand: AwsCommand;
  readonly SSOClient: AwsClient;
  readonly GetRoleCredentialsCommand: AwsCommand;
  readonly SecretsManagerClient: AwsClient;
  readonly GetSecretValueCommand: AwsCommand;
}

type AwsCommand = new (input: Readonly<Record<string, unknown>>) => object;
type AwsClient = new (
  options: AwsClientOptions,
) => {
  send(command: object, options: { abortSignal: AbortSignal }): Promise<unknown>;
  destroy(): void;
};

export interface AwsClientOptions {
  readonly region: string;
  /** what the client signs with; absent: what the library finds on this machine */
  readonly credentials?: AwsKeys;
  readonly endpoint?: string;
  readonly maxAttempts: number;
  /** ms between the clock that counts and this machine's */
  readonly systemClockOffset: number;
}

interface SignerOptions {
  readonly credentials: AwsKeys;
  readonly region: string;
  readonly service: string;
  readonly sha256: typeof NodeSha256;
  readonly uriEscapePath: boolean;
  readonly applyChecksum: boolean;
}

export interface SignableRequest {
  readonly method: string;
  readonly protocol: string;
  readonly hostname: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Uint8Array | undefined;
}

export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
}

interface AwsSigner {
  sign(request: SignableRequest, options: { signingDate: Date }): Promise<SignedRequest>;
  presign(
    request: SignableRequest,
    options: {
      signingDate: Date;
      expiresIn: number;
      unhoistableHeaders: ReadonlySet<string>;
      unsignableHeaders: ReadonlySet<string>;
    },
  ): Promise<SignedRequest>;
}

export interface AwsEcdsaSigner {
  sign(request: SignableRequest, options: { signingDate: Date }): Promise<SignedRequest>;
  getSignature(privateKey: Uint8Array, text: string): Promise<string>;
}

export function loadAwsPart(what: string): Promise<AwsPart> {
  return loadPart<AwsPart>('aws', what);
}

/** SHA-256, or HMAC with it when there is a key, as AWS's libraries want it. */
export class NodeSha256 {
  readonly #hash: Hash | Hmac;

  constructor(key?: string | Uint8Array) {
    this.#hash = key === undefined ? createHash('sha256') : createHmac('sha256', key);
  }

  update(data: Uint8Array): void {
    this.#hash.update(data);
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest();
  }
}
