import { notSignable } from '../kind.ts';
import type { QueryParameter } from './agent-signing.ts';

/** Path and parameters of a target in origin form. */
export interface SplitTarget {
  readonly path: string;
  readonly query: readonly QueryParameter[];
}

/** Throws `RequestNotSignable` for escapes that are no UTF-8: what AWS would make of them is not known. */
export function splitTarget(target: string): SplitTarget {
  const mark = target.indexOf('?');
  const path = mark < 0 ? target : target.slice(0, mark);
  const raws = mark < 0 ? [] : target.slice(mark + 1).split('&');
  return { path, query: raws.filter((raw) => raw !== '').map(parseParameter) };
}

function parseParameter(raw: string): QueryParameter {
  const equals = raw.indexOf('=');
  const name = equals < 0 ? raw : raw.slice(0, equals);
  const value = equals < 0 ? '' : raw.slice(equals + 1);
  // A plus is a space to every server of AWS, and is signed as one.
  return { raw, name: decode(name.replaceAll('+', ' ')), value: decode(value.replaceAll('+', ' ')) };
}

/** Parameters as the signing library wants them: equal names share a list. */
export function toQueryBag(query: readonly QueryParameter[]): Record<string, string | string[]> {
  const lists = new Map<string, string[]>();
  // The library keeps parameters in plain objects, where this name is lost: it would go out unsigned.
  if (query.some(({ name }) => name === '__proto__'))
    throw notSignable('a parameter has a name that cannot be signed');
  for (const { name, value } of query) lists.set(name, [...(lists.get(name) ?? []), value]);
  return Object.fromEntries(
    [...lists].map(([name, values]) => [name, values.length === 1 ? (values[0] ?? '') : values]),
  );
}

/** S3 signs the path with every byte but the unreserved ones escaped, once, however the client wrote it. */
export function canonicalS3Path(path: string): string {
  return path
    .split('/')
    .map((segment) => encodeStrictly(decode(segment)))
    .join('/');
}

export function encodeStrictly(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw notSignable('the URL has an escape that is not UTF-8', 'escape the URL as UTF-8');
  }
}
