import { SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import type { AwsSmConfig } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { Secret } from '../../shared/secret.ts';
import { awsFailure, clientOptions } from '../kinds/aws/aws-call.ts';
import { parseAwsKeys } from '../kinds/aws/aws-keys.ts';
import { checkKey, type SecretSource } from './secret-source.ts';

const FIELD = /^[A-Za-z0-9_.-]{1,128}$/;
const AnswerSchema = z.object({
  SecretString: z.string().optional(),
  SecretBinary: z.instanceof(Uint8Array).optional(),
});

export interface AwsSmOptions {
  readonly config: AwsSmConfig;
  readonly clock: Clock;
  /** reads a reference of the config */
  readonly readSecret: (reference: string, signal: AbortSignal) => Promise<Secret>;
}

/**
 * `aws-sm:name` or `aws-sm:name#field`: a secret of AWS Secrets Manager, by its name or ARN.
 *
 * Without a field it is the whole text; with one, that key of the JSON object that it holds.
 */
export function createAwsSmSource(scheme: string, { config, clock, readSecret }: AwsSmOptions): SecretSource {
  return {
    scheme,
    async read(reference, signal) {
      const [name = '', field, ...more] = reference.split('#');
      if (more.length > 0 || (field !== undefined && !FIELD.test(field))) {
        throw unreadable('the field after `#` is not a name');
      }
      const id = checkKey(name);
      const { GetSecretValueCommand, SecretsManagerClient } = await import('@aws-sdk/client-secrets-manager');
      const keys =
        config.keys === undefined ? undefined : parseAwsKeys(await readSecret(config.keys, signal));
      const { region, endpoint } = config;
      const client = new SecretsManagerClient(clientOptions({ keys, region, endpoint, clock }));
      try {
        const command = new GetSecretValueCommand({ SecretId: id });
        const answer = AnswerSchema.safeParse(await client.send(command, { abortSignal: signal }));
        return secretOf(answer.data?.SecretString ?? textOf(answer.data?.SecretBinary), field);
      } catch (error) {
        const hint = 'check the name of the secret, its region, and that the keys may read it';
        throw awsFailure(error, `reading \`${id}\` from Secrets Manager`, hint);
      } finally {
        client.destroy();
      }
    },
  };
}

function secretOf(text: string | undefined, field: string | undefined): Secret {
  if (text === undefined || text.trim() === '') throw unreadable('the secret is empty or no text');
  if (field === undefined) return new Secret(text);
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // SECURITY: the parser's error quotes the secret.
    throw unreadable('the secret is not JSON, so that it has no fields');
  }
  const fields = new Map(typeof parsed === 'object' && parsed !== null ? Object.entries(parsed) : []);
  const value: unknown = fields.get(field);
  if (typeof value === 'string' && value.trim() !== '') return new Secret(value);
  if (typeof value === 'object' && value !== null) return new Secret(JSON.stringify(value));
  throw unreadable(`there is no field \`${field}\`, or it is empty`);
}

function textOf(bytes: Uint8Array | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function unreadable(message: string): SallyportError {
  return new SallyportError('SecretUnreadable', { message });
}
