import type { Json, JsonObject } from '@sallyport/protocol';
import type { Secret } from '../../shared/secret.ts';
import { CleanWriter } from './clean-writer.ts';
import { maySpeakOfSecrets, REDACTED, redactPatterns } from './secret-patterns.ts';
import { isSensitiveKey } from './sensitive-keys.ts';
import { encodingsOf } from './value-encodings.ts';
import { SHORTEST, ValueScanner } from './value-scanner.ts';

/** Values remembered at once; the one that was learned longest ago is forgotten first. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 64;
const NAME_KEYS = new Set(['name', 'Name', 'key', 'Key', 'header', 'Header']);

/**
 * Takes secrets out of whatever leaves: events, logs, errors, previews. By the name of the key, by pattern, and
 * by value: what `learn` was given never appears in any output, raw or encoded.
 *
 * Values shorter than eight characters are found only as whole strings: inside longer text they would hit
 * what is no secret.
 */
export class Redactor {
  readonly #scanner = new ValueScanner();
  readonly #learned = new Map<string, readonly string[]>();
  readonly #short = new Set<string>();
  readonly #writer = new CleanWriter((text) => this.#isClean(text));
  #constants = new WeakMap<object, string>();
  #revision = 0;

  /** Another one each time that a value was learned: what was clean before may not be any more. */
  get revision(): number {
    return this.#revision;
  }

  /** From now on this value is taken out. The value itself is kept in memory, nowhere else. */
  learn(secret: Secret): void {
    const value = secret.reveal();
    if (value.trim() === '') return;
    const known = this.#learned.get(value);
    if (known !== undefined) {
      this.#learned.delete(value);
      this.#learned.set(value, known);
      return;
    }
    this.#constants = new WeakMap();
    const forms = encodingsOf(value);
    for (const form of forms) {
      if (form.length < SHORTEST || value.length < SHORTEST) this.#short.add(form);
      else this.#scanner.add(form);
    }
    this.#learned.set(value, forms);
    this.#writer.forget(this.#short.size > 0);
    this.#revision += 1;
    if (this.#learned.size > MAX_VALUES) this.#forgetOldest();
  }

  redactText(text: string): string {
    if (this.#short.has(text)) return REDACTED;
    // By value first: a pattern that takes out half of a value would hide the rest from the scanner.
    return redactPatterns(this.#scanner.replaceAll(text, REDACTED));
  }

  /** A JSON value without secrets. Takes anything: what JSON cannot express becomes text. */
  redactJson(value: unknown): Json {
    return this.#walk(value, 0);
  }

  /** The JSON text of `value` without secrets: `JSON.stringify(redactJson(value))`, but fast when there is none. */
  stringify(value: unknown): string {
    return this.#writer.write(value) ?? JSON.stringify(this.redactJson(value));
  }

  /** The same for what never changes, all the way down: written once, and again when a new value was learned. */
  stringifyConstant(value: object): string {
    const known = this.#constants.get(value);
    if (known !== undefined) return known;
    const text = this.stringify(value);
    this.#constants.set(value, text);
    return text;
  }

  /** The same for an object whose frozen members never change. Members of `more` take the place of those in `value`. */
  stringifyMembers(value: JsonObject, more?: JsonObject): string {
    const own = this.cleanMembers(value, more);
    const others = own === undefined || more === undefined ? '' : this.cleanMembers(more, undefined);
    if (own === undefined || others === undefined)
      return JSON.stringify(this.redactJson({ ...value, ...more }));
    return own === '' || others === '' ? `{${own}${others}}` : `{${own},${others}}`;
  }

  /** `"a":1,"b":2` but for what is in `over`; undefined when something must be taken out. */
  cleanMembers(value: JsonObject, over: JsonObject | undefined): string | undefined {
    let text = '';
    for (const key in value) {
      const item = value[key];
      if (item === undefined || (over !== undefined && Object.hasOwn(over, key))) continue;
      const start = this.#writer.key(key, item);
      // `value` is a secret beside a `name` that says so.
      if (start === undefined || key === 'value') return undefined;
      const isConstant = typeof item === 'object' && item !== null && Object.isFrozen(item);
      const written = isConstant ? this.stringifyConstant(item) : this.#writer.write(item);
      if (written === undefined) return undefined;
      text += text === '' ? `${start}${written}` : `,${start}${written}`;
    }
    return text;
  }

  /** One line of JSON (a log line) without secrets; a line that is no JSON is treated as text. */
  redactJsonLine(line: string): string {
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      return this.redactText(line);
    }
    if (this.#isClean(line) && !hasSensitiveKey(value, 0)) return line;
    return JSON.stringify(this.redactJson(value)) + (line.endsWith('\n') ? '\n' : '');
  }

  #isClean(jsonText: string): boolean {
    // Behind an escape a value does not look like itself: then each string is looked at on its own.
    if (jsonText.includes('\\')) return false;
    if (maySpeakOfSecrets(jsonText) || this.#scanner.matches(jsonText)) return false;
    for (const short of this.#short) if (jsonText.includes(short)) return false;
    return true;
  }

  #walk(value: unknown, depth: number): Json {
    switch (typeof value) {
      case 'string':
        return this.redactText(value);
      case 'number':
      case 'bigint':
        return this.#number(value);
      case 'boolean':
        return value;
      case 'object':
        break;
      // open: any value
      default:
        return null;
    }
    if (value === null) return null;
    if (depth >= MAX_DEPTH) return '[too deep]';
    if (Array.isArray(value)) return this.#array(value, depth);
    if (value instanceof Error) return this.#walk(errorFields(value), depth + 1);
    if ('toJSON' in value && typeof value.toJSON === 'function') return this.#walk(value.toJSON(), depth + 1);
    return this.#object(value, depth);
  }

  #number(value: number | bigint): Json {
    const text = String(value);
    if (this.redactText(text) !== text) return REDACTED;
    return typeof value === 'bigint' ? text : Number.isFinite(value) ? value : null;
  }

  #array(items: readonly unknown[], depth: number): Json {
    // A header as a pair: ['Authorization', 'Basic …']
    if (items.length === 2 && isHeaderName(items[0]) && typeof items[1] === 'string')
      return [items[0], REDACTED];
    return items.map((item, index) => {
      const before = items[index - 1];
      // An option and its value: ['--password', '…']
      const isOptionValue = typeof before === 'string' && isSensitiveOption(before);
      return isOptionValue && typeof item === 'string' ? REDACTED : this.#walk(item, depth + 1);
    });
  }

  #object(value: object, depth: number): Json {
    const entries = Object.entries(value).filter(([, item]) => item !== undefined);
    const named = entries.some(([key, item]) => namesSecret(key, item));
    return Object.fromEntries(
      entries.map(([key, item]) => {
        const hide = isSensitiveKey(key) || (named && key.toLowerCase() === 'value');
        return [this.redactText(key), hide && isSecretValue(item) ? REDACTED : this.#walk(item, depth + 1)];
      }),
    );
  }

  #forgetOldest(): void {
    const oldest = this.#learned.entries().next();
    if (oldest.done) return;
    const [value, forms] = oldest.value;
    this.#learned.delete(value);
    for (const form of forms) {
      this.#short.delete(form);
      if (form.length >= SHORTEST) this.#scanner.remove(form);
    }
  }
}

function isHeaderName(value: unknown): value is string {
  return (
    typeof value === 'string' &&
    /^(?:proxy-)?authorization$|^(?:set-)?cookie$|^x-.*(?:key|token)$/i.test(value)
  );
}

function isSensitiveOption(text: string): boolean {
  return text.startsWith('--') && isSensitiveKey(text);
}

/** One half of `{name: 'X-Api-Key', value: '…'}`. */
function namesSecret(key: string, value: unknown): boolean {
  return typeof value === 'string' && NAME_KEYS.has(key) && isSensitiveKey(value);
}

/** `false`, `null` and the empty string say that there is no secret; that is worth keeping. */
function isSecretValue(value: unknown): boolean {
  return value !== null && value !== undefined && value !== '' && typeof value !== 'boolean';
}

function errorFields(error: Error): object {
  const { name, message, stack, cause } = error;
  return { ...error, name, message, stack, cause };
}

/** Whether the slow way is needed: a key that names a secret, or a shape whose JSON differs from its fields. */
function hasSensitiveKey(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return typeof value === 'bigint';
  if (depth >= MAX_DEPTH) return true;
  if (Array.isArray(value)) {
    for (const item of value) {
      if (typeof item === 'string' ? isSensitiveOption(item) : hasSensitiveKey(item, depth + 1)) return true;
    }
    return false;
  }
  // `for in`, because this runs on every event and `Object.entries` makes an array for each object.
  for (const key in value) {
    // `key` was read from `value`: it is there, and its type is checked before use.
    const item = (value as Readonly<Record<string, unknown>>)[key];
    if (isSensitiveKey(key)) return true;
    if (typeof item === 'string' ? namesSecret(key, item) : hasSensitiveKey(item, depth + 1)) return true;
  }
  return value instanceof Error || 'toJSON' in value;
}
