import { SallyportError } from '@sallyport/protocol';
import type { Clock } from '../../../shared/clock.ts';
import type { AwsKeys } from './aws-keys.ts';

const ATTEMPTS = 2;
const CODE = /^[A-Za-z0-9.]{1,64}$/;

/** Options of a client of AWS that reckons with our clock. */
export function clientOptions(options: {
  /** undefined: whatever AWS's libraries find on this machine */
  readonly keys: AwsKeys | undefined;
  readonly region: string;
  readonly endpoint: string | undefined;
  readonly clock: Clock;
}) {
  return {
    region: options.region,
    ...(options.keys === undefined ? {} : { credentials: options.keys }),
    ...(options.endpoint === undefined ? {} : { endpoint: options.endpoint }),
    maxAttempts: ATTEMPTS,
    systemClockOffset: options.clock.now() - Date.now(),
  };
}

/**
 * Makes of whatever a call to AWS threw an error for the operator.
 *
 * SECURITY: AWS's messages may repeat what was sent: only the name of the error is taken over.
 */
export function awsFailure(error: unknown, what: string, hint: string): SallyportError {
  if (error instanceof SallyportError) return error;
  const name = error instanceof Error && CODE.test(error.name) ? error.name : 'Error';
  return new SallyportError('SecretUnreadable', { message: `${what} failed with \`${name}\``, hint });
}

/** The keys of an answer. Undefined when it is not what AWS answers. */
export function keysOfAnswer(
  found: unknown,
): { readonly keys: AwsKeys; readonly expiresAt: number } | undefined {
  const fields = new Map(typeof found === 'object' && found !== null ? Object.entries(found) : []);
  const accessKeyId = fields.get('AccessKeyId') ?? fields.get('accessKeyId');
  const secretAccessKey = fields.get('SecretAccessKey') ?? fields.get('secretAccessKey');
  const sessionToken = fields.get('SessionToken') ?? fields.get('sessionToken');
  const expiration: unknown = fields.get('Expiration') ?? fields.get('expiration');
  const expiresAt = expiration instanceof Date ? expiration.getTime() : expiration;
  if (typeof accessKeyId !== 'string' || typeof secretAccessKey !== 'string') return undefined;
  if (typeof sessionToken !== 'string' || typeof expiresAt !== 'number' || !(expiresAt > 0)) return undefined;
  return { keys: { accessKeyId, secretAccessKey, sessionToken }, expiresAt };
}
