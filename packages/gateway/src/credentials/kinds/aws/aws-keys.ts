import { SallyportError } from '@sallyport/protocol';
import type { Secret } from '../../../shared/secret.ts';

/** What a request is signed with. Lives in memory only, inside the closures of a prepared credential. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** for keys that expire */
  readonly sessionToken?: string;
}

const ID = /^[A-Za-z0-9_]{3,128}$/;
const SECRET = /^[\x21-\x7e]{1,256}$/;
const TOKEN = /^[\x21-\x7e]{1,16384}$/;

const NAMES = {
  accessKeyId: ['AccessKeyId', 'accessKeyId', 'aws_access_key_id', 'access_key', 'access_key_id'],
  secretAccessKey: [
    'SecretAccessKey',
    'secretAccessKey',
    'aws_secret_access_key',
    'secret_key',
    'secret_access_key',
  ],
  sessionToken: ['SessionToken', 'sessionToken', 'aws_session_token', 'security_token', 'session_token'],
} as const;

/**
 * Reads keys from JSON in the spelling of AWS's tools, Vault or the environment, or from `id:secret`.
 *
 * Throws `SecretUnreadable`, which holds nothing of the material.
 */
export function parseAwsKeys(material: Secret): AwsKeys {
  const text = material.reveal().trim();
  const found = text.startsWith('{') ? fromJson(text) : fromPair(text);
  if (found === undefined) {
    throw new SallyportError('SecretUnreadable', {
      message: 'the source does not hold keys of AWS',
      hint: 'it must hold `{"AccessKeyId":"…","SecretAccessKey":"…"}`, maybe with `SessionToken`, or `id:secret`',
    });
  }
  return found;
}

function fromPair(text: string): AwsKeys | undefined {
  const colon = text.indexOf(':');
  return checked(text.slice(0, Math.max(colon, 0)), text.slice(colon + 1), undefined);
}

function fromJson(text: string): AwsKeys | undefined {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    // SECURITY: the parser's error quotes the text.
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null) return undefined;
  const fields = new Map<string, unknown>(Object.entries(parsed));
  const pick = (names: readonly string[]): unknown =>
    names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== null);
  return checked(pick(NAMES.accessKeyId), pick(NAMES.secretAccessKey), pick(NAMES.sessionToken));
}

function checked(id: unknown, secret: unknown, token: unknown): AwsKeys | undefined {
  if (typeof id !== 'string' || !ID.test(id)) return undefined;
  if (typeof secret !== 'string' || !SECRET.test(secret)) return undefined;
  if (token === undefined || token === '') return { accessKeyId: id, secretAccessKey: secret };
  if (typeof token !== 'string' || !TOKEN.test(token)) return undefined;
  return { accessKeyId: id, secretAccessKey: secret, sessionToken: token };
}
