import { assertNever } from '../../../shared/assert-never.ts';
import { KEY_FORMATS, PRIVATE_KEY } from '../../../shared/key-formats.ts';
import type { Look } from './suspect-names.ts';

/** Of a file, from its beginning. */
export const LOOKED_AT_BYTES = 64 * 1024;

// INVARIANT: linear time, in whatever an agent wrote into its workspace the last time.
const KEY = new RegExp(
  `${PRIVATE_KEY}|AGE-SECRET-KEY-1|PuTTY-User-Key-File-|minisign encrypted secret key|^[ \\t]*PrivateKey[ \\t]*=[ \\t]*[^ \\t]{40}`,
  'm',
);
const KEY_HINTS = ['PRIVATE KEY', 'AGE-SECRET-KEY', 'PuTTY-User-Key', 'encrypted secret key', 'PrivateKey'];
/** Nothing but one long word: how Rails and many others keep a key. */
const ONE_WORD = /^\s*[A-Za-z0-9+/_=-]{24,4096}\s*$/;

const CLOUD_LOGIN =
  /"type"\s*:\s*"(?:service_account|authorized_user|external_account_authorized_user|impersonated_service_account)"|"SecretAccessKey"\s*:\s*"[^"]/;
const OAUTH_CLIENT = [/"(?:installed|web)"\s*:\s*\{/, /"client_secret"\s*:\s*"[^"]/];
const DOCKER_LOGIN = [/"auths"\s*:\s*\{/, /"(?:auth|identitytoken|registrytoken|password)"\s*:\s*"[^"]/];
const KUBE_LOGIN = [
  /^[ \t]*"?kind"?[ \t]*:[ \t]*["']?Config\b/m,
  /(?:client-key-data|client-key|token|password|id-token|refresh-token)["']?[ \t]*:/,
];

const REGISTRY_LOGINS: readonly RegExp[] = [
  /(?:_authToken|_auth|_password|npmAuthToken|npmAuthIdent)["']?\s*[=:]\s*["']?(?![$"'\s])\S/i,
  /:\/\/[^\s/:@"'<>]{1,256}:(?!\$)[^\s/@"'<>]{1,512}@/,
  /<(?:password|passphrase|privateKey|ClearTextPassword)>\s*(?![$<])\S/i,
  /"ClearTextPassword"\s+value="[^"]/i,
  /"(?:http-basic|github-oauth|gitlab-token|gitlab-oauth|bitbucket-oauth|bearer)"\s*:\s*\{\s*"/,
  /^[ \t]*[\w.-]{0,128}(?:token|password|passwd|secret)[ \t]*=[ \t]*["']?(?![$"'\s])\S/im,
];

const GIT_REF = /^(?:[0-9a-f]{40}(?:[0-9a-f]{24})?\s*$|ref: \S+\s*$|[0-9a-f]{40,64} [0-9a-f]{40,64} |$)/;

/** `NAME=value`, `NAME: value`, with or without quotes; a line that is longer is none. */
const ASSIGNMENT = /^[ \t]*(?:export[ \t]+)?["']?([\w.-]{1,128})["']?[ \t]*[=:](.*)/;
const LONGEST_LINE = 4_096;
const SECRET_NAME = /secret|token|passw|pwd|passphrase|key|credential|auth|dsn|salt|signature/i;
const PLACEHOLDER =
  /example|change[-_ ]?me|your|placeholder|replace|insert|dummy|fake|todo|xxx|\.\.\.|<|\$\{|\{\{|1234567|abcdef|secret[-_ ]?key|password|generate/i;
const FORMATS = new RegExp(KEY_FORMATS.join('|'));

/** Whether the beginning of a file shows what its name let one suspect. */
export function showsSecret(look: Look, bytes: Buffer): boolean {
  // Windows writes text files in UTF-16.
  const isWide = bytes[0] === 0xff && bytes[1] === 0xfe;
  const text = isWide ? bytes.toString('utf16le') : bytes.toString('latin1');
  switch (look) {
    case 'key':
      return isKey(text);
    case 'bare-key':
      return isKey(text) || ONE_WORD.test(text);
    case 'json':
      return isLogin(text);
    case 'kube':
      return all(KUBE_LOGIN, text) || isKey(text);
    case 'registry':
      return REGISTRY_LOGINS.some((pattern) => pattern.test(text));
    case 'env':
      return hasRealValue(text) || isKey(text);
    case 'any':
      return isLogin(text) || all(KUBE_LOGIN, text) || hasRealValue(text);
    case 'no-ref':
      return !GIT_REF.test(text);
    default:
      return assertNever(look);
  }
}

function isKey(text: string): boolean {
  // A quick no for the many files that are none.
  return (KEY_HINTS.some((hint) => text.includes(hint)) && KEY.test(text)) || isBareDer(text);
}

/** A key of RSA, EC or PKCS #8 without armour: a sequence whose first part is a small version number. */
function isBareDer(text: string): boolean {
  const version = text.slice(0, 8).indexOf('\u0002\u0001');
  return text.startsWith('0') && version >= 2 && version <= 4 && text.charCodeAt(version + 2) <= 1;
}

function isLogin(text: string): boolean {
  return CLOUD_LOGIN.test(text) || all(DOCKER_LOGIN, text) || all(OAUTH_CLIENT, text) || isKey(text);
}

function all(patterns: readonly RegExp[], text: string): boolean {
  return patterns.every((pattern) => pattern.test(text));
}

/** A value that somebody uses: what stands in a pattern for people to fill in does not count. */
function hasRealValue(text: string): boolean {
  for (const line of text.split('\n')) {
    const [, name = '', raw = ''] = line.length > LONGEST_LINE ? [] : (ASSIGNMENT.exec(line) ?? []);
    const [value = ''] = raw
      .trim()
      .replace(/^["']/, '')
      .split(/["',;\s]/, 1);
    const format = FORMATS.exec(value)?.[0];
    if (format !== undefined && isRandom(format)) return true;
    const password = /:\/\/[^\s/:@]{0,256}:([^\s/@]{1,512})@/.exec(value)?.[1];
    if (password !== undefined && isRandom(password)) return true;
    if (SECRET_NAME.test(name) && isRandom(value)) return true;
  }
  return false;
}

const SHORTEST_RANDOM = 12;
/** different characters, at least, of a value that a machine made up */
const LEAST_VARIETY = 8;

function isRandom(value: string): boolean {
  return (
    value.length >= SHORTEST_RANDOM &&
    // No address, no expression, no colour.
    /^[\w+/=.~!@$%^&*-]+$/.test(value) &&
    !PLACEHOLDER.test(value) &&
    /\d/.test(value) &&
    /[A-Za-z]/.test(value) &&
    new Set(value).size >= LEAST_VARIETY
  );
}
