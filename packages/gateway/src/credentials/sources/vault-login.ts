import { readFile } from 'node:fs/promises';
import { SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import type { VaultConfig } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { Secret } from '../../shared/secret.ts';
import { callJson } from '../kinds/http-call.ts';

const LoginAnswer = z.object({
  auth: z.object({
    client_token: z.string().min(1).max(4_096),
    lease_duration: z.number().nonnegative(),
    renewable: z.boolean(),
  }),
});

interface VaultToken {
  readonly value: Secret;
  /** ms since epoch; undefined: as long as Vault takes it */
  readonly expiresAt?: number;
  /** moment from which it is renewed before it is used */
  readonly renewAt?: number;
}

export interface VaultLoginOptions {
  readonly config: VaultConfig;
  /** reads a reference of the config */
  readonly readSecret: (reference: string, signal: AbortSignal) => Promise<Secret>;
  readonly learn: (secret: Secret) => void;
  readonly clock: Clock;
  readonly ca: string | undefined;
}

/** The gateway's own token at Vault: got by logging in, renewed while its lease lasts, got anew after. */
export class VaultLogin {
  readonly #options: VaultLoginOptions;
  #token: VaultToken | undefined;
  #under: Promise<VaultToken> | undefined;

  constructor(options: VaultLoginOptions) {
    this.#options = options;
  }

  /** A token that holds now. */
  async token(signal: AbortSignal): Promise<Secret> {
    const now = this.#options.clock.now();
    const held = this.#token;
    if (held !== undefined && (held.renewAt === undefined || now < held.renewAt)) return held.value;
    this.#under ??= this.#obtain(held, now, signal).finally(() => {
      this.#under = undefined;
    });
    this.#token = await this.#under;
    return this.#token.value;
  }

  /** Vault refused it: the next one is got by logging in. */
  forget(): void {
    this.#token = undefined;
  }

  async #obtain(held: VaultToken | undefined, now: number, signal: AbortSignal): Promise<VaultToken> {
    if (held?.expiresAt !== undefined && now < held.expiresAt) {
      const renewed = await this.#renew(held, signal).catch(() => undefined);
      if (renewed !== undefined) return renewed;
    }
    return this.#login(signal);
  }

  async #login(signal: AbortSignal): Promise<VaultToken> {
    const { config, readSecret } = this.#options;
    const { token, approle, kubernetes } = config.auth;
    if (token !== undefined) return { value: await readSecret(token, signal) };
    if (approle !== undefined) {
      const secretId = await readSecret(approle.secret_id, signal);
      const body = { role_id: approle.role_id, secret_id: secretId.reveal() };
      return this.#call(`auth/${approle.mount}/login`, body, signal);
    }
    if (kubernetes === undefined) throw new TypeError('the schema demands one way to log in');
    const jwt = new Secret((await readToken(kubernetes.token_file)).trim());
    this.#options.learn(jwt);
    return this.#call(`auth/${kubernetes.mount}/login`, { role: kubernetes.role, jwt: jwt.reveal() }, signal);
  }

  #renew(held: VaultToken, signal: AbortSignal): Promise<VaultToken> {
    return this.#call('auth/token/renew-self', {}, signal, held.value);
  }

  async #call(path: string, json: object, signal: AbortSignal, token?: Secret): Promise<VaultToken> {
    const { config, learn, clock, ca } = this.#options;
    const { auth } = await callJson({
      what: 'logging in to Vault',
      method: 'POST',
      url: `${config.address.replace(/\/+$/, '')}/v1/${path}`,
      headers: vaultHeaders(config, token),
      json,
      schema: LoginAnswer,
      signal,
      ...(ca === undefined ? {} : { ca }),
    });
    const value = new Secret(auth.client_token);
    learn(value);
    if (auth.lease_duration === 0) return { value };
    const life = auth.lease_duration * 1000;
    const now = clock.now();
    // What is not renewable is used up to shortly before its end, then got anew.
    const renewAt = now + (auth.renewable ? (life * 2) / 3 : life * 0.9);
    return { value, renewAt, ...(auth.renewable ? { expiresAt: now + life } : {}) };
  }
}

export function vaultHeaders(config: VaultConfig, token: Secret | undefined): Record<string, string> {
  return {
    'x-vault-request': 'true',
    ...(token === undefined ? {} : { 'x-vault-token': token.reveal() }),
    ...(config.namespace === undefined ? {} : { 'x-vault-namespace': config.namespace }),
  };
}

/** Kubernetes shows this file to every process of the pod: its mode is not asked for. */
async function readToken(path: string): Promise<string> {
  try {
    return await readFile(path, { encoding: 'utf8' });
  } catch {
    throw new SallyportError('SecretUnreadable', {
      message: `the service account token \`${path}\` cannot be read`,
    });
  }
}
