import { randomUUID } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import { errors, jwtVerify, SignJWT } from 'jose';
import type { Clock } from '../../shared/clock.ts';
import type { WorkloadRecord } from '../../store/index.ts';
import type { SealKey } from './seal-key.ts';

const ISSUER = 'sallyport';
const AUDIENCE = 'sallyport/dispatch-gateway';
const ALGORITHM = 'EdDSA';
const LONGEST_MS = 3_600_000;

/** A token, and what is known of it without reading it again. */
export interface SecurityToken {
  readonly text: string;
  readonly jti: string;
  /** ms since epoch */
  readonly expiresAt: number;
}

/** Security tokens: JWTs that we alone make and read. */
export class SecurityTokens {
  readonly #key: () => SealKey;
  readonly #clock: Clock;

  constructor(key: () => SealKey, clock: Clock) {
    this.#key = key;
    this.#clock = clock;
  }

  /** Good until the session ends, an hour at most. */
  async issue(workload: WorkloadRecord, sessionExpiresAt: number): Promise<SecurityToken> {
    const iat = Math.floor(this.#clock.now() / 1000);
    const exp = Math.floor(Math.min(sessionExpiresAt, this.#clock.now() + LONGEST_MS) / 1000);
    const jti = randomUUID();
    const text = await new SignJWT({
      scp: workload.scope,
      wid: workload.id,
      exec_id: workload.execution,
      tenant_id: workload.tenant,
    })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT' })
      .setSubject(workload.agent)
      .setJti(jti)
      .setAudience(AUDIENCE)
      .setIssuer(ISSUER)
      .setIssuedAt(iat)
      .setExpirationTime(exp)
      .sign(this.#key().privateKey);
    return { text, jti, expiresAt: exp * 1000 };
  }

  /** Its `jti`, when we made it and its time has not run out. Throws `SecurityTokenRefused` with the reason. */
  async verify(text: string): Promise<string> {
    try {
      const { payload } = await jwtVerify(text, this.#key().publicKey, {
        // SECURITY: the only algorithm there is: `none` and an HMAC keyed with our public key are not tokens.
        algorithms: [ALGORITHM],
        issuer: ISSUER,
        audience: AUDIENCE,
        requiredClaims: ['sub', 'scp', 'wid', 'exec_id', 'tenant_id', 'jti', 'iat', 'exp'],
        currentDate: new Date(this.#clock.now()),
      });
      return String(payload.jti);
    } catch (error) {
      const reason =
        error instanceof errors.JWTExpired
          ? 'the token has expired'
          : 'the token was not made by this gateway';
      throw new SallyportError('SecurityTokenRefused', { message: reason });
    }
  }
}

/** The workload that a token names, believed by nobody yet: it only says whose key to try. */
export function workloadNamedIn(token: string): string | undefined {
  try {
    const claims: unknown = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
    const isObject = typeof claims === 'object' && claims !== null && 'wid' in claims;
    return isObject && typeof claims.wid === 'string' ? claims.wid : undefined;
  } catch {
    return undefined;
  }
}
