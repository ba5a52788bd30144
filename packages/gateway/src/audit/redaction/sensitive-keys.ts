import { parameterCertainty } from '../../shared/credential-forms/names.ts';
import { Secret } from '../../shared/secret.ts';

// Names whose value is a secret, in lower case and without `-`, `_`, `.` and spaces.
const EXACT = new Set(['auth', 'pass', 'pwd', 'passwd', 'otp', 'totp', 'jwt', 'dsn', 'xauth']);
const ENDINGS = [
  'authorization',
  'cookie',
  'cookies',
  'password',
  'passwords',
  'passphrase',
  'secret',
  'secrets',
  'token',
  'bearer',
  'apikey',
  'privatekey',
  'secretkey',
  'accesskey',
  'signingkey',
  'encryptionkey',
  'connectionstring',
  'clientassertion',
];

const KNOWN_LIMIT = 10_000;
const known = new Map<string, boolean>();

/**
 * Whether a value under this key is a secret, by the key's name alone: `Authorization`, `x-api-key`,
 * `clientSecret`. Not `credential` (a name, not a value) and not `max_tokens` (a number of them).
 */
export function isSensitiveKey(key: string): boolean {
  let answer = known.get(key);
  if (answer === undefined) {
    const plain = key.toLowerCase().replace(/[-_.\s]/g, '');
    answer = EXACT.has(plain) || ENDINGS.some((ending) => plain.endsWith(ending));
    // Keys are few, but an attacker may send as many as it likes.
    if (known.size >= KNOWN_LIMIT) known.clear();
    if (key.length <= 128) known.set(key, answer);
  }
  return answer;
}

const SHORTEST = 12;
const AT_MOST = 200;

/**
 * What the environment calls a secret, by the names of its variables. `${NAME}` can put any of them anywhere into the
 * config, and nothing that is shown may repeat it [CR-1].
 */
export function environmentSecrets(env: Readonly<Record<string, string | undefined>>): readonly Secret[] {
  return Object.entries(env)
    .filter(([name, value]) => value !== undefined && soundsSecret(name) && mayBeSecret(value))
    .slice(0, AT_MOST)
    .map(([, value = '']) => new Secret(value));
}

function soundsSecret(name: string): boolean {
  const certainty = parameterCertainty(name);
  return certainty !== 'none' && certainty !== 'ordinary';
}

/** Paths (`GOOGLE_APPLICATION_CREDENTIALS`) and words are none, and would be taken out of everything else. */
function mayBeSecret(value: string): boolean {
  return value.length >= SHORTEST && !/^[/~.]|\s/.test(value);
}
