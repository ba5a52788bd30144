import { type Finding, isTest, type SourceFile } from './source-files.ts';

const LABEL = /^(\s*)default:(?:\s*\{)?\s*$/;
const OPEN = /^\s*\/\/ open: \S/;
const MESSAGE =
  'a switch over a closed union ends in `default: return assertNever(…)`; over what comes from outside it says so in the line before: `// open: any header`';

/**
 * A `default:` answers for members that nobody has thought of: for a closed union the compiler shall ask instead. Which
 * switches are over open types is for people to say, and to read in a review.
 */
export function findSilentDefaults(files: readonly SourceFile[]): Finding[] {
  return files.flatMap(({ path, text }) => {
    if (!/^packages\/[^/]+\/src\//.test(path) || isTest(path)) return [];
    const lines = text.split('\n');
    return lines.flatMap((line, index): Finding[] => {
      const indent = LABEL.exec(line)?.[1];
      if (indent === undefined || !isInSwitch(lines, index, indent.length)) return [];
      if (/\bassertNever\(/.test(lines[index + 1] ?? '') || OPEN.test(lines[index - 1] ?? '')) return [];
      return [{ path, line: index + 1, message: MESSAGE }];
    });
  });
}

/** Formatted as we format: the first line before it that stands further left opens the switch, or an object. */
function isInSwitch(lines: readonly string[], index: number, indent: number): boolean {
  for (let at = index - 1; at >= 0; at -= 1) {
    const line = lines[at] ?? '';
    if (line.trim() === '' || line.length - line.trimStart().length >= indent) continue;
    return /\bswitch \(|^\s*\) \{$/.test(line);
  }
  return false;
}
