import type { CommandFact, CommandTarget } from '@sallyport/protocol';
import { placeCommand } from '../places/index.ts';
import { isNumber, numericVariables, UNKNOWN_NUMBER } from './arithmetic.ts';
import { refuseInput } from './input-check.ts';
import { readable } from './paths/marks.ts';
import { addPieces } from './paths/text-pieces.ts';
import { Variables } from './paths/variables.ts';
import { valuesOf } from './paths/word-values.ts';
import { readSequence } from './read-statement.ts';
import type { Reading } from './reading.ts';
import { verifyTree } from './verify-tree.ts';
import { CwdScope, type ShellContext } from './words/cwd-scope.ts';
import { createShellParser, type ParseShell, type SyntaxNode } from './words/syntax-tree.ts';

const MAX_TEXT = 24 * 1024;
/** values that the words of a line may stand for, all together */
const MAX_VALUES = 4_000;

/** The part of a `CommandTarget` that comes from reading the line. */
export type ShellAnalysis = Pick<CommandTarget, 'commands' | 'unknown' | 'mentions'>;
export type AnalyzeShell = (line: string, context: ShellContext) => ShellAnalysis;

/** What tests look at beside the analysis. */
export interface ShellReading extends ShellAnalysis {
  /** where each simple command of the line begins, wrappers and inner texts not counted */
  readonly starts: readonly number[];
  /** where each word of those commands begins */
  readonly wordStarts: readonly number[];
  /** size of the syntax tree, 0 when the line was not parsed */
  readonly nodes: number;
}

/**
 * Loads the grammar once; the returned function is synchronous and never throws. Whatever cannot be read for certain
 * sets `unknown`, on the command where it is that command's alone, else on the line.
 */
export async function createShellAnalyzer(): Promise<AnalyzeShell> {
  const read = await createShellReader();
  return (line, context) => {
    const { commands, unknown, mentions } = read(line, context);
    return {
      commands,
      ...(unknown === undefined ? {} : { unknown }),
      ...(mentions === undefined ? {} : { mentions }),
    };
  };
}

/** The analyser with what the tests compare. */
export async function createShellReader(): Promise<(line: string, context: ShellContext) => ShellReading> {
  const parse = await createShellParser();
  return (line, context) => {
    const facts: CommandFact[] = [];
    const starts: number[] = [];
    const wordStarts: number[] = [];
    // What a line says inside its texts matters where the gateway's home can be reached: without a jail.
    const mentions = context.confinement === 'jailed' ? undefined : new Set<string>();
    try {
      const start = context.isCwdReal === true ? context.cwd : context.resolvePath(context.cwd, '/');
      const scope = new CwdScope({ known: [start], likely: [start], lost: false });
      const { problem, nodes } = readText(line, scope, 0, {
        parse,
        context,
        facts,
        starts,
        wordStarts,
        mentions,
        values: { left: MAX_VALUES },
        budget: { left: MAX_TEXT },
      });
      // SECURITY: a line without a command would be permitted by every rule, for want of one that forbids it.
      const unknown = problem ?? (facts.length === 0 ? 'the line has no command' : undefined);
      // A line that was not read whole still says what it says.
      if (unknown !== undefined && mentions !== undefined) addPieces(line, mentions);
      const said = mentions === undefined || mentions.size === 0 ? {} : { mentions: [...mentions] };
      const commands = placed(facts, context);
      const doubt = unknown === undefined ? {} : { unknown };
      return { commands, starts, wordStarts, nodes, ...doubt, ...said };
    } catch {
      // SECURITY: [GA-5] whatever went wrong while reading is a refusal, never a gap.
      if (mentions !== undefined) addPieces(line, mentions);
      const said = mentions === undefined ? {} : { mentions: [...mentions] };
      return {
        commands: placed(facts, context),
        starts,
        wordStarts,
        nodes: 0,
        unknown: 'the line could not be read',
        ...said,
      };
    }
  };
}

/** Once every path is known: redirections of groups and texts of shells come later than the commands inside. */
function placed(
  facts: readonly CommandFact[],
  { confinement, workspace }: ShellContext,
): readonly CommandFact[] {
  return confinement === 'jailed' ? facts : facts.map((fact) => placeCommand(fact, workspace));
}

interface Shared {
  readonly parse: ParseShell;
  readonly context: ShellContext;
  readonly facts: CommandFact[];
  readonly starts: number[];
  readonly wordStarts: number[];
  readonly mentions: Set<string> | undefined;
  /** values of words that may still be made */
  readonly values: { left: number };
  /** characters that may still be parsed, texts inside texts counted again */
  readonly budget: { left: number };
}

function readText(
  source: string,
  scope: CwdScope,
  depth: number,
  shared: Shared,
  outer?: Variables,
): { problem: string | undefined; nodes: number } {
  const refused = refuseInput(source);
  if (refused !== undefined) return { problem: refused, nodes: 0 };
  shared.budget.left -= source.length;
  if (shared.budget.left < 0) return { problem: 'the line carries too much shell code', nodes: 0 };
  const outcome = shared.parse(source);
  if (outcome.kind === 'refused') return { problem: outcome.reason, nodes: 0 };
  const { root, nodes } = outcome;
  let problem = outcome.hasError ? 'the line has a syntax error' : verifyTree(root, source);
  const variables = new Variables(root, source, outer);
  const reading: Reading = {
    source,
    context: shared.context,
    functions: new Set(),
    numbers: /\(\(|\[/.test(source) ? numericVariables(root, source) : new Set(),
    facts: shared.facts,
    paths: {
      home: shared.context.home,
      variables,
      resolvePath: shared.context.resolvePath,
      budget: shared.values,
      mentions: shared.mentions,
    },
    starts: depth === 0 ? shared.starts : [],
    wordStarts: depth === 0 ? shared.wordStarts : [],
    depth,
    doubt: (reason) => {
      problem ??= reason;
    },
    readScript: (text, inner, next) => readText(text, inner, next, shared, variables).problem,
  };
  problem ??= arithmeticProblem(root, reading);
  readSequence(root.children, reading, scope, true);
  if (shared.mentions !== undefined) nameAssigned(reading, scope, shared.mentions);
  if (shared.values.left < 0) problem ??= 'the line names too many paths';
  return { problem, nodes };
}

/** What is assigned may be read by any program that the line starts. */
function nameAssigned({ paths }: Reading, { now }: CwdScope, mentions: Set<string>): void {
  const known = { ...paths, folders: now.likely, valuesOf, depth: 0 };
  for (const word of paths.variables.words())
    for (const value of valuesOf(word, known)) addPieces(readable(value), mentions);
}

const NOT_ARITHMETIC = new Set(['$((', '))', '$[', ']', '((', 'do_group', 'compound_statement', 'for']);

function arithmeticProblem(node: SyntaxNode, reading: Reading): string | undefined {
  const evaluates =
    node.type === 'arithmetic_expansion' ||
    node.type === 'c_style_for_statement' ||
    (node.type === 'compound_statement' && node.children[0]?.type === '((');
  if (evaluates) {
    const expressions = node.children.filter((child) => !NOT_ARITHMETIC.has(child.type));
    if (!expressions.every((child) => isNumber(child, reading))) return UNKNOWN_NUMBER;
  }
  if (node.type === 'subscript' && !/\[(?:\d+|[@*])\]$/.test(reading.source.slice(node.start, node.end)))
    return UNKNOWN_NUMBER;
  if (node.type === 'array' && node.children.some((child) => reading.source[child.start] === '['))
    return UNKNOWN_NUMBER;
  for (const child of node.children) {
    const problem = arithmeticProblem(child, reading);
    if (problem !== undefined) return problem;
  }
  return undefined;
}
