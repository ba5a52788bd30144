import { isSensitiveKey } from './sensitive-keys.ts';

const MAX_DEPTH = 64;
/** Strings that come again and again are short; longer ones are looked at each time. */
const KEPT_CHARS = 48;
const KEPT_AT_MOST = 4_000;
/** No value that is searched for inside of texts is shorter. */
const SHORTEST_HIT = 8;
const PLAIN_KEY = /^[A-Za-z_][\w-]{0,47}$/;
const NAME_KEYS = new Set(['name', 'Name', 'key', 'Key', 'header', 'Header']);

/** A key as it is written. */
interface Key {
  /** `"key":`; empty: it names a secret, or must be looked at by whoever knows more */
  readonly text: string;
  /** its value may be the name of a secret that stands beside it */
  readonly isName: boolean;
}

/**
 * Writes plain data as JSON as long as there is nothing to take out of it, string by string: each of those that events
 * share is looked at once.
 */
export class CleanWriter {
  readonly #isClean: (jsonText: string) => boolean;
  readonly #strings = new Map<string, string>();
  readonly #keys = new Map<string, Key>();
  #mayKeepShort = true;

  /** `isClean`: whether a text holds nothing that must go */
  constructor(isClean: (jsonText: string) => boolean) {
    this.#isClean = isClean;
  }

  /** What was clean may not be any more. `hasShort`: there are values that even a short number may be. */
  forget(hasShort: boolean): void {
    this.#strings.clear();
    this.#keys.clear();
    this.#mayKeepShort = !hasShort;
  }

  /** The JSON of `value`; undefined when it holds a secret, may hold one, or is no plain data. */
  write(value: unknown, depth = 0): string | undefined {
    switch (typeof value) {
      case 'string':
        return this.#string(value);
      case 'number':
        return this.#number(value);
      case 'boolean':
        return value ? 'true' : 'false';
      case 'object':
        if (value === null) return 'null';
        if (depth >= MAX_DEPTH) return undefined;
        return Array.isArray(value) ? this.#array(value, depth) : this.#object(value, depth);
      // open: any value
      default:
        return undefined;
    }
  }

  /** `"key":`, or undefined when what stands there is not this one's business. */
  key(key: string, item: unknown): string | undefined {
    let known = this.#keys.get(key);
    if (known === undefined) {
      known = this.#look(key);
      if (this.#keys.size >= KEPT_AT_MOST) this.#keys.clear();
      this.#keys.set(key, known);
    }
    if (known.text === '' || (known.isName && typeof item === 'string' && isSensitiveKey(item)))
      return undefined;
    return known.text;
  }

  #look(key: string): Key {
    const text = `"${key}":`;
    const isPlain = PLAIN_KEY.test(key) && !isSensitiveKey(key) && this.#isClean(text);
    return { text: isPlain ? text : '', isName: NAME_KEYS.has(key) };
  }

  #string(value: string): string | undefined {
    const known = this.#strings.get(value);
    if (known !== undefined) return known;
    const text = JSON.stringify(value);
    if (!this.#isClean(text)) return undefined;
    if (value.length <= KEPT_CHARS && text.length === value.length + 2) {
      if (this.#strings.size >= KEPT_AT_MOST) this.#strings.clear();
      // A slice of what was just written: the given one may be a slice of a whole head, and would keep it in memory.
      this.#strings.set(text.slice(1, -1), text);
    }
    return text;
  }

  #number(value: number): string | undefined {
    if (!Number.isFinite(value)) return undefined;
    const text = `${value}`;
    if (this.#mayKeepShort && text.length < SHORTEST_HIT) return text;
    return this.#isClean(text) ? text : undefined;
  }

  #array(items: readonly unknown[], depth: number): string | undefined {
    let text = '';
    for (const item of items) {
      // The value of an option comes next.
      if (typeof item === 'string' && item.startsWith('--') && isSensitiveKey(item)) return undefined;
      const written = this.write(item, depth + 1);
      if (written === undefined) return undefined;
      text += text === '' ? written : `,${written}`;
    }
    return `[${text}]`;
  }

  #object(value: object, depth: number): string | undefined {
    const prototype: unknown = Object.getPrototypeOf(value);
    if ((prototype !== Object.prototype && prototype !== null) || 'toJSON' in value) return undefined;
    let text = '';
    for (const key in value) {
      // `key` was read from `value`: it is there, and its type is checked before use.
      const item = (value as Readonly<Record<string, unknown>>)[key];
      if (item === undefined) continue;
      const start = this.key(key, item);
      const written = start === undefined ? undefined : this.write(item, depth + 1);
      if (written === undefined) return undefined;
      text += text === '' ? `${start}${written}` : `,${start}${written}`;
    }
    return `{${text}}`;
  }
}
