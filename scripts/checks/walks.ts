import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Finding, SourceFile } from './source-files.ts';

const PAGE = 'docs/architecture.md';
const GATEWAY = 'packages/gateway/src/';

/** `### Walk: an MCP call (at most 20 files)` */
const HEADING = /^### Walk: (?<name>.+) \(at most (?<most>\d+) files?\)$/;
/** ``3. `gate/judge.ts` `judge`, `castOf` (through `gate/index.ts`): what happens`` */
const STEP =
  /^\d+\. `(?<file>[^`]+)` (?<names>`#?\w+`(?:, `#?\w+`)*)(?: \(through `(?<through>[^`]+)`\))?: ./;

interface Walk {
  readonly name: string;
  readonly most: number;
  readonly line: number;
  readonly steps: Step[];
}

interface Step {
  readonly line: number;
  readonly file: string;
  readonly names: readonly string[];
  /** where the step before it is handed what this one does, when the gateway starts */
  readonly through: string | undefined;
}

/**
 * The walks of the architecture page are true: each function is in the file that the page names, an earlier step (or the
 * file that puts the two together) uses it, and a walk passes no more files than its heading says.
 */
export function findFalseWalks(root: string, files: readonly SourceFile[]): Finding[] {
  const texts = new Map(
    files
      .filter(({ path }) => path.startsWith(GATEWAY))
      .map(({ path, text }) => [path.slice(GATEWAY.length), text]),
  );
  const walks = readWalks(readFileSync(join(root, PAGE), 'utf8'));
  const none = walks.length === 0 ? [{ path: PAGE, message: 'there is no walk on this page' }] : [];
  return [...none, ...walks.flatMap((walk) => problemsOf(walk, texts))];
}

function readWalks(page: string): readonly Walk[] {
  const walks: Walk[] = [];
  let current: Walk | undefined;
  page.split('\n').forEach((text, index) => {
    const line = index + 1;
    const heading = HEADING.exec(text)?.groups;
    if (heading !== undefined) {
      current = { name: heading.name ?? '', most: Number(heading.most), line, steps: [] };
      walks.push(current);
    } else if (text.startsWith('#')) {
      current = undefined;
    } else if (current !== undefined && /^\d+\. /.test(text)) {
      const { file = '', names = '', through } = STEP.exec(text)?.groups ?? {};
      const parsed = names.split(', ').map((name) => name.replaceAll('`', ''));
      current.steps.push({ line, file, names: parsed, through });
    }
  });
  return walks;
}

function problemsOf({ name, most, line, steps }: Walk, texts: ReadonlyMap<string, string>): Finding[] {
  const findings: Finding[] = [];
  const passed = new Set(steps.map(({ file }) => file));
  if (steps.length === 0) findings.push({ path: PAGE, line, message: `the walk "${name}" has no steps` });
  if (passed.size > most)
    findings.push({ path: PAGE, line, message: `the walk "${name}" passes ${passed.size} files` });
  const before: string[] = [];
  for (const step of steps) {
    const problem = problemWith(step, texts, before);
    if (problem !== undefined) findings.push({ path: PAGE, line: step.line, message: problem });
    before.push(texts.get(step.file) ?? '');
  }
  return findings;
}

function problemWith(
  { file, names, through }: Step,
  texts: ReadonlyMap<string, string>,
  before: readonly string[],
): string | undefined {
  const text = texts.get(file);
  if (text === undefined) return `a step is a file of ${GATEWAY} and its functions, and this is none`;
  const missing = names.find((name) => !declares(text, name));
  if (missing !== undefined) return `\`${file}\` has no function \`${missing}\``;
  const between = through === undefined ? '' : texts.get(through);
  if (between === undefined) return `there is no file \`${through}\``;
  const [first = ''] = names;
  if (before.length > 0 && ![...before, between].some((earlier) => uses(earlier, first)))
    return `no step before it uses \`${first}\``;
  return undefined;
}

/** A function of the module, or a member of something that it has. */
function declares(text: string, name: string): boolean {
  return (
    new RegExp(`^(?:export )?(?:async )?function\\*? ${name}[<(]`, 'm').test(text) ||
    new RegExp(`^ {2,4}(?:static |readonly |async |get )*${name}(?:[<(]| = )`, 'm').test(text)
  );
}

function uses(text: string, name: string): boolean {
  const isDeclared = declares(text, name);
  const found = [...text.matchAll(new RegExp(`(?<![\\w#])(?:[\\w)\\]?]\\.)?${name}\\b`, 'g'))].length;
  return found > (isDeclared ? 1 : 0);
}
