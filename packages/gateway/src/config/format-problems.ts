import { looksLikeSecret } from './literal-secrets.ts';
import type { LocatedProblem } from './source/problem-list.ts';
import { readText } from './source/read-text.ts';

const WIDEST = 120;

export interface FormatOptions {
  readonly color: boolean;
}

/**
 * Problems for people: place and message, the line with a caret, and what to do.
 *
 * The lines are read from the files now; when a file is gone they are left out. A line that looks like it
 * holds a secret is not shown.
 */
export function formatProblems(problems: readonly LocatedProblem[], { color }: FormatOptions): string {
  const paint = (code: string, text: string) => (color ? `\u001b[${code}m${text}\u001b[0m` : text);
  const texts = new Map<string, readonly string[]>();
  const blocks = problems.map((problem) => {
    const kind = problem.severity === 'error' ? paint('31', 'error') : paint('33', 'warning');
    const place = paint('1', `${problem.file}:${problem.line}:${problem.column}`);
    const lines = [`${place}: ${kind}: ${problem.message}`];
    const source = sourceLine(problem, texts);
    if (source !== undefined) {
      lines.push(`  ${source.line}`, `  ${' '.repeat(source.caret)}${paint('31', '^')}`);
    }
    if (problem.hint !== undefined) lines.push(`  ${paint('36', 'hint:')} ${problem.hint}`);
    return lines.join('\n');
  });
  return blocks.join('\n\n');
}

/** The line of a problem, cut around its column to fit a terminal. */
function sourceLine(
  problem: LocatedProblem,
  texts: Map<string, readonly string[]>,
): { readonly line: string; readonly caret: number } | undefined {
  if (problem.confidential === true) return undefined;
  const lines = texts.get(problem.file) ?? linesOf(problem.file);
  texts.set(problem.file, lines);
  const line = lines[problem.line - 1];
  // SECURITY: people paste terminal output into tickets.
  if (line === undefined || line.trim() === '' || looksLikeSecret(line)) return undefined;
  const column = Math.min(problem.column, line.length + 1);
  const start = column > WIDEST - 20 ? column - 40 : 0;
  const cut = line.slice(start, start + WIDEST);
  return { line: cut.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' '), caret: column - 1 - start };
}

function linesOf(file: string): readonly string[] {
  const read = readText(file);
  return read.kind === 'text' ? read.text.split(/\r?\n/) : [];
}
