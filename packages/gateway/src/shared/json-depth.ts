/** Levels of lists and objects in JSON that somebody else wrote. Nobody nests deeper who means it. */
const DEEPEST = 100;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Whether a JSON text has more levels than anything here is meant to walk. `JSON.parse` reads any depth; whoever writes,
 * compares or canonicalises the value then runs out of stack, which looks like a fault of ours. To be asked before.
 */
export function isDeepJson(text: string): boolean {
  // Each level has a beginning and an end.
  if (text.length <= 2 * DEEPEST) return false;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = endOfString(text, at);
    else if (code === 0x5b || code === 0x7b) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (code === 0x5d || code === 0x7d) depth -= 1;
  }
  return false;
}

function endOfString(text: string, open: number): number {
  for (let at = text.indexOf('"', open + 1); at !== -1; at = text.indexOf('"', at + 1)) {
    let before = at - 1;
    while (text.charCodeAt(before) === BACKSLASH) before -= 1;
    if ((at - 1 - before) % 2 === 0) return at;
  }
  return text.length;
}

/**
 * The same for bytes that come piece by piece. Brackets in texts count as well: JSON may be inside a text, and no text that
 * people read leaves so many of them open.
 */
export class BracketDepth {
  #depth = 0;

  isDeep(piece: Uint8Array): boolean {
    for (const byte of piece) {
      if (byte === 0x5b || byte === 0x7b) this.#depth += 1;
      else if ((byte === 0x5d || byte === 0x7d) && this.#depth > 0) this.#depth -= 1;
      if (this.#depth > DEEPEST) return true;
    }
    return false;
  }
}

/** The same for a value that was parsed elsewhere. */
export function isDeepValue(value: unknown): boolean {
  let level: unknown[] = [value];
  for (let depth = 1; depth <= DEEPEST; depth += 1) {
    const next: unknown[] = [];
    for (const one of level) {
      if (typeof one !== 'object' || one === null) continue;
      for (const inner of Array.isArray(one) ? one : Object.values(one))
        if (typeof inner === 'object' && inner !== null) next.push(inner);
    }
    if (next.length === 0) return false;
    level = next;
  }
  return true;
}
