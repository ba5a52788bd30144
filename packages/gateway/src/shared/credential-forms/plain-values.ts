const PLAIN =
  /^(?:[a-z]{1,12}|[0-9]{1,8}|.{0,5}|oauth2?|saml2?|openid2?|oidc|x509|kerberos5?|api[-_]key|client[-_](?:cert|credentials)|sigv4)$/i;
const SWITCH = /^(?:|0|1|true|false|yes|no|on|off|(?:not\.)?(?:is\.)?null|none|undefined)$/i;
/** What documentation puts in the place of a key, and keys that are made to be seen: NASA's, Stripe's, Mapbox'. */
const SAMPLE =
  /^(?:demo|test|example|sample|dummy|x{3,32}|\*{3,32}|\.{3}|(?:demo|test|example|sample|dummy|your|my)(?:[-_ ](?:api|app|access|secret|client|auth|private|public|key|token|secret|here|value)){1,4}|pk_(?:live|test)_[A-Za-z0-9]{8,200}|pk\.eyJ[A-Za-z0-9_-]{8,400}\.[A-Za-z0-9_-]{8,100})$/i;
/** `cloud-storage`, `computeEngine`, `apache-2.0`, `bsd-3-clause`: letters, and numbers only where words have them. */
const WORDS =
  /^(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,14})(?:[-_. ]?(?:[A-Z][a-z]{1,14})|[-_. ](?:[a-z]{1,14}|[A-Z]{1,14}|[0-9](?=-[a-z]))){0,4}(?:-[0-9]{1,2}\.[0-9]{1,2})?$|^[A-Za-z]{1,10}[0-9]{1,2}$/;
/** The number of a step, or a folder. */
const STEP_OR_FOLDER = /^(?:[0-9]{1,3}|[~.]?\/[^?&]*)$/;
const CONTRACT = /^0x[0-9a-f]{40}$/i;
const LONGEST_WORDS = 64;

/** A value that no host would take for a secret: a word, a small number, a way to log in, next to nothing. */
export function isPlainValue(value: string): boolean {
  return PLAIN.test(value);
}

/** A value that only switches something on or off. */
export function isSwitch(value: string): boolean {
  return SWITCH.test(value);
}

/** A key of an example, or one that its owner shows to everyone. */
export function isSample(value: string): boolean {
  return SAMPLE.test(value);
}

/** One to five words. */
export function isWords(value: string): boolean {
  return value.length <= LONGEST_WORDS && WORDS.test(value);
}

/** Under the name of a password, but none: which pass of a program, which folder. */
export function isStepOrFolder(value: string): boolean {
  return STEP_OR_FOLDER.test(value);
}

/** The address of a contract, which chains call a token. */
export function isContract(value: string): boolean {
  return CONTRACT.test(value);
}
