import { collectCommand, collectRedirects, type SplitRedirects } from './collect-command.ts';
import { isBuiltInName } from './known-names.ts';
import { wordPaths } from './paths/command-paths.ts';
import { addPieces } from './paths/text-pieces.ts';
import { withPaths, withWrites } from './reach.ts';
import { readCommand } from './read-command.ts';
import type { Reading, Redirect } from './reading.ts';
import { redirectNames, redirectWrites } from './redirect-writes.ts';
import { isLocalVariable } from './variable-names.ts';
import { type CwdScope, unite } from './words/cwd-scope.ts';
import type { SyntaxNode } from './words/syntax-tree.ts';
import { literalWord, readWord } from './words/word.ts';

const MOVES = /\b(?:cd|pushd|popd|chdir|eval)\b/;
const SUBSTITUTIONS = new Set(['command_substitution', 'process_substitution']);

/** Reads statements in order, as a shell runs them. `outer`: functions defined here exist from here on. */
export function readSequence(
  nodes: readonly SyntaxNode[],
  reading: Reading,
  scope: CwdScope,
  outer = false,
): void {
  for (let index = 0; index < nodes.length; index += 1) {
    const node = nodes[index];
    if (node === undefined) break;
    const background = nodes[index + 1]?.type === '&';
    readStatement(node, reading, background ? scope.fork() : scope, outer && !background);
  }
}

function readStatement(node: SyntaxNode, reading: Reading, scope: CwdScope, outer: boolean): void {
  switch (node.type) {
    case 'command':
    case 'declaration_command':
    case 'unset_command':
    case 'test_command':
      readSimple(node, [], reading, scope);
      return;
    case 'redirected_statement': {
      const split = collectRedirects(node, reading.source);
      nameBodies(split, reading);
      readRedirected(split.body, split.redirects, split.extra, reading, scope, node.start);
      for (const rest of split.statements) readStatement(rest, reading, scope, false);
      for (const inside of split.inside) readInside(inside, reading, scope);
      return;
    }
    case 'list':
      readList(node, reading, scope);
      return;
    case 'pipeline':
      for (const child of node.children) readForked(child, reading, scope);
      return;
    case 'subshell':
      readSequence(node.children, reading, scope.fork());
      return;
    case 'program':
    case 'compound_statement':
    case 'negated_command':
      readSequence(node.children, reading, scope, outer && node.type !== 'negated_command');
      if (node.children[0]?.type === '((') readArithmeticCommand(node, reading);
      return;
    case 'variable_assignment':
    case 'variable_assignments':
      readAssignments(node, reading, scope);
      return;
    case 'function_definition':
      readFunction(node, reading, scope, outer);
      return;
    // open: any node of the shell's grammar
    default:
      readConditional(node, reading, scope);
  }
}

// Branches and loops: each command inside may run or not, so a `cd` inside leaves the folder open.
function readConditional(node: SyntaxNode, reading: Reading, scope: CwdScope): void {
  if (node.children.length === 0) return;
  if (MOVES.test(reading.source.slice(node.start, node.end))) scope.lose();
  if (node.type === 'for_statement') {
    const name = node.children.find((child) => child.type === 'variable_name');
    checkVariable(name === undefined ? '' : reading.source.slice(name.start, name.end), reading);
  }
  for (const child of node.children) {
    if (isExpression(child)) readInside(child, reading, scope);
    else readStatement(child, reading, scope, false);
  }
}

function isExpression({ type }: SyntaxNode): boolean {
  return (
    SUBSTITUTIONS.has(type) ||
    [
      'string',
      'concatenation',
      'expansion',
      'simple_expansion',
      'arithmetic_expansion',
      'binary_expression',
      'unary_expression',
      'postfix_expression',
      'ternary_expression',
      'parenthesized_expression',
    ].includes(type)
  );
}

function readSimple(
  node: SyntaxNode,
  redirects: readonly Redirect[],
  reading: Reading,
  scope: CwdScope,
  extra: readonly SyntaxNode[] = [],
): void {
  const command = collectCommand(node, reading, redirects, extra);
  for (const child of node.children) {
    if (child.type === 'variable_assignment' || child.type === 'file_redirect')
      reading.starts.push(child.start);
  }
  const before = scope.fork();
  readCommand(command, reading, scope);
  for (const child of node.children) readInside(child, reading, before);
  for (const child of extra) readInside(child, reading, before);
}

/** Reads what runs inside words, patterns and redirections: every substitution, at any depth. */
export function readInside(node: SyntaxNode, reading: Reading, scope: CwdScope): void {
  if (node.children.length === 0) return;
  if (SUBSTITUTIONS.has(node.type)) {
    for (const child of node.children) {
      if (child.type === 'file_redirect')
        readRedirected(
          undefined,
          collectRedirects({ ...node, children: [child] }, reading.source).redirects,
          [],
          reading,
          scope.fork(),
        );
    }
    readSequence(node.children, reading, scope.fork());
    return;
  }
  for (const child of node.children) readInside(child, reading, scope);
}

function readRedirected(
  body: SyntaxNode | undefined,
  redirects: readonly Redirect[],
  extra: readonly SyntaxNode[],
  reading: Reading,
  scope: CwdScope,
  start = body?.start ?? 0,
): void {
  if (body === undefined) {
    // SECURITY: in `> x rm y` the grammar takes the whole command for targets of the redirection.
    const words = extra.map((word) => readWord(word, reading.source));
    readCommand({ words, variables: [], redirects, values: [], start }, reading, scope);
    for (const word of extra) readInside(word, reading, scope);
    return;
  }
  const last = body.children.at(-1);
  switch (body.type) {
    case 'command':
    case 'declaration_command':
    case 'unset_command':
    case 'test_command':
      readSimple(body, redirects, reading, scope, extra);
      return;
    case 'list':
    case 'pipeline':
    case 'negated_command':
      // `a && b > x` redirects only `b`, though the grammar hangs it on the list.
      if (last === undefined) return;
      readWithLast(
        body,
        () =>
          readRedirected(last, redirects, extra, reading, body.type === 'pipeline' ? scope.fork() : scope),
        reading,
        scope,
      );
      return;
    // open: any node of the shell's grammar
    default: {
      if (extra.length > 0) reading.doubt('a word follows a redirection of a compound command');
      const files = redirectWrites(redirects, scope.now.known, reading.context);
      const named = wordPaths(redirectNames(redirects, scope.now.known), scope.now, reading.paths);
      if (files.problem !== undefined) reading.doubt(files.problem);
      const before = reading.facts.length;
      readStatement(body, reading, scope, false);
      const fact = reading.facts.at(-1);
      if (fact !== undefined && reading.facts.length > before)
        reading.facts[reading.facts.length - 1] = withPaths(withWrites(fact, files.writes), named);
      // What cannot be known about a redirection is a command of its own: it may be a network connection.
      if (
        files.problem !== undefined ||
        ((fact === undefined || reading.facts.length === before) &&
          (files.writes.length > 0 || named.length > 0))
      )
        readCommand(
          { words: [literalWord(':', body.start)], variables: [], redirects, values: [], start: body.start },
          reading,
          scope,
        );
    }
  }
}

/** What a here-document says to a program counts as if it stood in the line; a file that is written from it is data. */
function nameBodies({ body, bodies, redirects }: SplitRedirects, reading: Reading): void {
  const { mentions } = reading.paths;
  if (mentions === undefined || bodies.length === 0) return;
  const program = body?.type === 'command' ? reading.source.slice(body.start, body.end) : '';
  const toFile = redirects.some(({ operator }) => operator.startsWith('>'));
  if (/^tee\s/.test(program) || (toFile && /^cat\b/.test(program))) return;
  for (const { start, end } of bodies) addPieces(reading.source.slice(start, end), mentions);
}

function readWithLast(body: SyntaxNode, readLast: () => void, reading: Reading, scope: CwdScope): void {
  const [left, operator] = body.children;
  if (body.type !== 'list' || left === undefined || operator === undefined) {
    for (const child of body.children.slice(0, -1)) readForked(child, reading, scope);
    readLast();
    return;
  }
  readStatement(left, reading, scope, false);
  readRight(operator.type, readLast, scope);
}

function readList(node: SyntaxNode, reading: Reading, scope: CwdScope): void {
  const [left, operator, ...rest] = node.children.filter(
    (child) => child.type !== 'comment' && child.type !== '\n',
  );
  if (left === undefined || operator === undefined) return;
  readStatement(left, reading, scope, false);
  readRight(operator.type, () => readSequence(rest, reading, scope), scope);
}

/** The right side of `&&` runs where the left succeeded; that of `||` wherever the left may have left it. */
function readRight(operator: string, read: () => void, scope: CwdScope): void {
  const { now, onSuccess } = scope;
  if (operator === '&&') scope.now = onSuccess;
  read();
  const success = operator === '&&' ? scope.onSuccess : unite(onSuccess, scope.onSuccess);
  scope.now = unite(now, scope.now);
  scope.onSuccess = success;
}

/** A part of a pipeline. zsh runs the last one in the shell itself, so a `cd` there may or may not count. */
function readForked(node: SyntaxNode, reading: Reading, scope: CwdScope): void {
  const fork = scope.fork();
  readStatement(node, reading, fork, false);
  scope.now = unite(scope.now, fork.now);
  scope.onSuccess = scope.now;
}

function readAssignments(node: SyntaxNode, reading: Reading, scope: CwdScope): void {
  const assignments = node.type === 'variable_assignments' ? node.children : [node];
  for (const assignment of assignments) {
    const name = assignment.children[0];
    if (name === undefined) continue;
    reading.starts.push(assignment.start);
    checkVariable(/^[A-Za-z0-9_]*/.exec(reading.source.slice(name.start, name.end))?.[0] ?? '', reading);
    readInside(assignment, reading, scope);
  }
  scope.stay();
}

function checkVariable(name: string, reading: Reading): void {
  if (!isLocalVariable(name)) reading.doubt(`the line sets \`${name}\``);
}

function readArithmeticCommand(node: SyntaxNode, reading: Reading): void {
  const names = reading.source.slice(node.start, node.end).match(/[A-Za-z_][A-Za-z0-9_]*/g) ?? [];
  for (const name of names) checkVariable(name, reading);
}

function readFunction(node: SyntaxNode, reading: Reading, scope: CwdScope, outer: boolean): void {
  const word = node.children.find((child) => child.type === 'word');
  const name = word === undefined ? '' : reading.source.slice(word.start, word.end);
  if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) reading.doubt('a function has an unusual name');
  else if (isBuiltInName(name)) reading.doubt(`a function takes the name of \`${name}\``);
  const split = collectRedirects(node, reading.source);
  const body = node.children.findLast(
    (child) => child.children.length > 0 && !child.type.endsWith('_redirect'),
  );
  const inside = scope.fork();
  if (MOVES.test(reading.source)) inside.lose();
  if (body !== undefined) readRedirected(body, split.redirects, split.extra, reading, inside);
  for (const part of split.inside) readInside(part, reading, inside);
  if (MOVES.test(reading.source)) scope.lose();
  if (outer) reading.functions.add(name);
}
