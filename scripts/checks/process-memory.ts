import { type Finding, isTest, type SourceFile } from './source-files.ts';

/**
 * State that a caller can notice is shared by all gateways of a store, and lives in `coordination/` or in the store. What
 * one process keeps for itself says why that is enough, on the line before it: `// process-local: why`.
 *
 * It looks at fields and module constants that begin as an empty Map or Set, in the folders that callers come through. It
 * does not see a number, an array or a variable inside a function; those are for whoever reviews.
 */
const FOLDERS =
  /^packages\/gateway\/src\/(?:gate\/(?:admit|grants)|approvals|identity|credentials|doors|servers|calls|executors|runs)\//;

/** A field, a constant of the module, or a field that a method sets anew. */
const HELD =
  /^(?: {2}(?:(?:readonly|private|protected|static|override|accessor) )*#?\w+|(?:export )?(?:const|let|var) \w+|\s+this\.#?\w+)(?:: [^=\n]+)? (?:\?\?)?= new (?:Map|Set)\b/gm;
const REASON = /^\s*\/\/ process-local: \S.{9,}$/;

export function findProcessMemory(files: readonly SourceFile[]): Finding[] {
  const findings: Finding[] = [];
  for (const { path, text } of files) {
    if (!FOLDERS.test(path) || isTest(path) || path.endsWith('.fixture.ts')) continue;
    const lines = text.split('\n');
    for (const match of text.matchAll(HELD)) {
      if (!beginsEmpty(text, match.index + match[0].length)) continue;
      const line = text.slice(0, match.index).split('\n').length;
      if (REASON.test(lines[line - 2] ?? '')) continue;
      const message =
        'what several gateways must know together belongs to coordination/ (docs/extending/coordination.md); ' +
        'what one process may keep says why on the line before: `// process-local: …`';
      findings.push({ path, line, message });
    }
  }
  return findings;
}

/** Behind `new Map`: past its type arguments, an empty pair of brackets. */
function beginsEmpty(text: string, from: number): boolean {
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at];
    if (char === '<') depth += 1;
    // The head of an arrow is no end of type arguments.
    else if (char === '>' && text[at - 1] !== '=') depth -= 1;
    else if (depth === 0 && !/\s/.test(char ?? '')) return /^\(\s*\)/.test(text.slice(at)) || char === ';';
  }
  return false;
}
