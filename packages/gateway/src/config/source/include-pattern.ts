import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** A pattern of `include`, relative to the file that has it. */
export interface IncludePattern {
  readonly segments: readonly string[];
  readonly hasStar: boolean;
}

export type PatternResult =
  | { readonly kind: 'pattern'; readonly pattern: IncludePattern }
  | { readonly kind: 'problem'; readonly message: string; readonly hint: string };

/** files that one config may be made of */
export const MOST_FILES = 256;

/**
 * Reads a pattern like `policies/*.yaml`. `*` stands for any run of characters inside one name.
 *
 * Refuses absolute paths, `..` and `**`: what is included lies in the folder of the config, under the same
 * protection, and can be seen from it.
 */
export function parseIncludePattern(text: string): PatternResult {
  const segments = text.split('/').filter((segment) => segment !== '.');
  if (text.startsWith('/') || text.startsWith('~') || segments.includes('..')) {
    return {
      kind: 'problem',
      message: `\`${text}\` leads out of the folder of the config`,
      hint: 'included files lie in the folder of the main file or below it',
    };
  }
  if (segments.some((segment) => segment === '' || segment.includes('**') || segment.includes('\0'))) {
    return {
      kind: 'problem',
      message: `\`${text}\` is no include pattern`,
      hint: 'write a relative path, `*` allowed inside a name: `policies/*.yaml`',
    };
  }
  return { kind: 'pattern', pattern: { segments, hasStar: text.includes('*') } };
}

/** Absolute paths under `folder` that a pattern matches, in order of their names. Hidden ones need a dot. */
export function findIncluded(folder: string, pattern: IncludePattern): readonly string[] {
  let found: readonly string[] = [folder];
  for (const segment of pattern.segments) {
    found = found.flatMap((path) => {
      if (!segment.includes('*')) return [join(path, segment)];
      return namesIn(path)
        .filter((name) => matchesSegment(segment, name))
        .map((name) => join(path, name));
    });
    // One more than allowed is kept, so that the caller sees that there are too many.
    found = found.slice(0, MOST_FILES + 1);
  }
  return found;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort();
  } catch {
    return [];
  }
}

/** Whether one name falls under one segment. Editors' hidden files (`.#a.yaml`) are not meant by a star. */
export function matchesSegment(segment: string, name: string): boolean {
  if (!segment.includes('*')) return segment === name;
  if (name.startsWith('.') && !segment.startsWith('.')) return false;
  const [first = '', ...rest] = segment.split('*');
  const last = rest.pop() ?? '';
  if (name.length < first.length + last.length) return false;
  if (!name.startsWith(first) || !name.endsWith(last)) return false;
  let from = first.length;
  const end = name.length - last.length;
  for (const part of rest) {
    const at = name.indexOf(part, from);
    if (at < 0 || at + part.length > end) return false;
    from = at + part.length;
  }
  return true;
}
