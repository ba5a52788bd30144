import { isDeepJson } from '../../shared/json-depth.ts';

const DECODER = new TextDecoder('utf-8', { fatal: true });

/** The text of a whole body; `undefined` when it is not UTF-8. */
export function decodeText(bytes: Uint8Array): string | undefined {
  try {
    return DECODER.decode(bytes);
  } catch {
    return undefined;
  }
}

export type JsonMembers = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON object. `undefined` for anything else, and for a text in which any object, at any depth, has a
 * key twice: parsers differ on which one counts. Nor is anything read that is nested too deeply to be meant.
 */
export function parseJsonObject(text: string): JsonMembers | undefined {
  if (isDeepJson(text)) return undefined;
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isMembers(value) || hasRepeatedKey(text)) return undefined;
  return value;
}

/** Whether a JSON value is an object. */
export function isMembers(value: unknown): value is JsonMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The string member of that name, if there is one. */
export function stringMember(members: JsonMembers | undefined, name: string): string | undefined {
  const value = members === undefined || !Object.hasOwn(members, name) ? undefined : members[name];
  return typeof value === 'string' ? value : undefined;
}

// INVARIANT: the text is valid JSON, so that strings and brackets are all there is to look at.
function hasRepeatedKey(text: string): boolean {
  const stack: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = endOfString(text, at);
      const keys = stack.at(-1);
      if (expectsKey && keys !== undefined) {
        // Escapes may spell a key in another way: `"br\u0061nch"`.
        const key: unknown = JSON.parse(text.slice(at, end + 1));
        if (keys.has(String(key))) return true;
        keys.add(String(key));
        expectsKey = false;
      }
      at = end;
    } else if (code === 0x7b) {
      stack.push(new Set());
      expectsKey = true;
    } else if (code === 0x5b) {
      stack.push(undefined);
    } else if (code === 0x7d || code === 0x5d) {
      stack.pop();
    } else if (code === 0x2c) {
      expectsKey = stack.at(-1) !== undefined;
    }
  }
  return false;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (text.charCodeAt(at) !== 0x22) at += text.charCodeAt(at) === 0x5c ? 2 : 1;
  return at;
}
