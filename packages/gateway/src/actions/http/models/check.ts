import { isOutlineMembers, type Outline, type OutlineMembers } from '../../../shared/json-outline.ts';
import { visibleLine } from '../../../shared/visible-text.ts';

/**
 * Says what in a part of a request makes the provider act or fetch, or is not known; undefined: nothing does.
 *
 * SECURITY: what may stand in a request is listed; whatever is not in the list may be tomorrow's `mcp_servers` [NE-11].
 */
export type Check = (value: Outline) => string | undefined;

/** What a model is told, and how it shall answer. */
export const harmless: Check = () => undefined;

/** What must not be used: only a value that says so passes. */
export const mustBeOff =
  (what: string): Check =>
  (value) => {
    const isOff =
      value === null ||
      value === false ||
      (Array.isArray(value) && value.length === 0) ||
      (isOutlineMembers(value) && Object.keys(value).length === 0);
    return isOff ? undefined : what;
  };

/** What is switched on by being there: an empty object says yes. */
export const mustBeAbsent =
  (what: string): Check =>
  (value) =>
    value === null || value === false ? undefined : what;

/** Always the same problem, however it is written. */
export const never =
  (what: string): Check =>
  () =>
    what;

/** Several names with one check: `...named('a b c', harmless)`. */
export function named(names: string, check: Check): Readonly<Record<string, Check>> {
  return Object.fromEntries(
    names
      .trim()
      .split(/\s+/)
      .map((name) => [name, check]),
  );
}

/** An object that has none but these members; one that is `null` is none. */
export function members(table: Readonly<Record<string, Check>>): Check {
  const checks = new Map(Object.entries(table));
  return (value) => {
    if (value === null) return undefined;
    return isOutlineMembers(value) ? checkMembers(value, checks) : 'a part that is no object';
  };
}

function checkMembers(value: OutlineMembers, checks: ReadonlyMap<string, Check>): string | undefined {
  // Keys of what was read are its own: it has no prototype.
  for (const key in value) {
    const check = checks.get(key);
    if (check === undefined) return `\`${shown(key)}\` is not known`;
    const problem = check(value[key] ?? null);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** A list; one that is `null` is none. */
export function each(check: Check): Check {
  return (value) => {
    if (value === null) return undefined;
    if (!Array.isArray(value)) return 'a part that is no list';
    for (const one of value) {
      const problem = check(one);
      if (problem !== undefined) return problem;
    }
    return undefined;
  };
}

/** A list, or one of it by itself, as protocol buffers are read. */
export function oneOrEach(check: Check): Check {
  const list = each(check);
  return (value) => (Array.isArray(value) || value === null ? list(value) : check(value));
}

/** A text, or what `check` says. */
export function textOr(check: Check): Check {
  return (value) => (typeof value === 'string' || value === null ? undefined : check(value));
}

/** Whatever is no object, or what `check` says. */
export function plainOr(check: Check): Check {
  return (value) => (typeof value === 'object' && value !== null ? check(value) : undefined);
}

/** An object whose `type` says what it is. `untyped`: what it is without one. */
export function byType(table: Readonly<Record<string, Check>>, untyped?: Check): Check {
  const checks = new Map(Object.entries(table));
  return (value) => {
    if (!isOutlineMembers(value)) return 'a part that is no object';
    const type = value.type ?? null;
    const check = type === null ? untyped : typeof type === 'string' ? checks.get(type) : undefined;
    if (check !== undefined) return check(value);
    return type === null ? 'a part without a type' : `the type \`${shown(String(type))}\` is not known`;
  };
}

/** A check that refers to one that is made later: parts hold parts. */
export function later(check: () => Check): Check {
  return (value) => check()(value);
}

const DATA = /^data:/i;
const BASE64 = /^[A-Za-z0-9+/=_\-\s]*…?$/;

/** Content as `data:…`; any other address is one that the provider would fetch. */
export const inlineAddress: Check = (value) =>
  value === null || (typeof value === 'string' && DATA.test(value))
    ? undefined
    : 'an address that the provider fetches';

/** Content as base64 or as `data:…`. */
export const inlineContent: Check = (value) =>
  value === null || (typeof value === 'string' && (DATA.test(value) || BASE64.test(value)))
    ? undefined
    : 'an address that the provider fetches';

/** Content that the provider has kept, or shall keep. */
export const keptContent = mustBeOff('something that the provider keeps');

const SEARCHES = /:online\b|(?:^|[^a-z])search|sonar|deep-?research|@preset|^@/i;

/** The name of a model; some search the web with every answer, some stand for settings that are kept elsewhere. */
export const modelName: Check = (value) =>
  typeof value === 'string' && !SEARCHES.test(value) ? undefined : 'a model that does more than answer';

function shown(name: string): string {
  const line = visibleLine(name);
  return line.length <= 40 ? line : `${line.slice(0, 39)}…`;
}
