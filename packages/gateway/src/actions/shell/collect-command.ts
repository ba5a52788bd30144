import { arithmeticReason } from './arithmetic.ts';
import type { Reading, Redirect, Setting, SimpleCommand } from './reading.ts';
import type { SyntaxNode } from './words/syntax-tree.ts';
import { literalWord, readWord, type Word } from './words/word.ts';

const EXPRESSIONS = new Set([
  'binary_expression',
  'unary_expression',
  'parenthesized_expression',
  'postfix_expression',
  'ternary_expression',
]);
/** Nodes that stand for a word, or a part of one. */
const WORDS = new Set([
  'word',
  'string',
  'raw_string',
  'concatenation',
  'number',
  'ansi_c_string',
  'simple_expansion',
  'expansion',
  'command_substitution',
  'process_substitution',
  'arithmetic_expansion',
  'brace_expression',
  'translated_string',
  'regex',
  'extglob_pattern',
  'variable_name',
  'test_operator',
]);
/** Operators that end a command or redirect it when they stand inside `[ … ]`. */
const NOT_IN_BRACKETS = new Set([
  '&&',
  '||',
  '|',
  '&',
  '<',
  '>',
  '(',
  ')',
  '=~',
  '<<',
  '>>',
  '<=',
  '>=',
  ';',
  '?',
  ':',
  '++',
  '--',
]);

/** Operators that belong to arithmetic or to commands, not to `[[ … ]]`. */
const NOT_IN_TESTS = /^(?:>>|<<|\||&|[<>+*/%&^|-]=|[+*/%^?:~-]|\+\+|--|\*\*|;)$/;

const BRACE = '{'.charCodeAt(0);

/** Words, variables and redirections of one simple command. `extra` are words that stood after a redirection. */
export function collectCommand(
  node: SyntaxNode,
  reading: Reading,
  redirects: readonly Redirect[],
  extra: readonly SyntaxNode[],
): SimpleCommand {
  const { source } = reading;
  const words: Word[] = [];
  const variables: string[] = [];
  const values: Setting[] = [];
  const own: Redirect[] = [];
  for (const child of node.children) {
    switch (child.type) {
      case 'variable_assignment':
        if (node.type === 'declaration_command') words.push(readAssignmentWord(child, source));
        else {
          const name = /^\w*/.exec(source.slice(child.start, child.end))?.[0] ?? '';
          variables.push(name);
          const value = child.children[2];
          if (value !== undefined) values.push({ name, word: readWord(value, source) });
        }
        break;
      case 'file_redirect':
      case 'herestring_redirect': {
        const split = collectRedirects({ ...node, type: 'redirects', children: [child] }, source);
        own.push(...split.redirects);
        words.push(...split.extra.map((word) => readWord(word, source)));
        break;
      }
      case 'comment':
        break;
      // open: any node of the shell's grammar
      default:
        if (node.type === 'test_command') addTestWords(child, node, reading, words);
        else words.push(readWord(child, source));
        // `{PATH}>x` sets the variable to the number of a descriptor.
        if (
          source.charCodeAt(child.start) === BRACE &&
          /^\{\w+\}$/.test(source.slice(child.start, child.end)) &&
          /[<>]/.test(source[child.end] ?? '')
        )
          reading.doubt('a redirection sets a variable');
    }
  }
  if (node.type === 'test_command') joinTildes(words, source);
  for (const word of extra) words.push(readWord(word, source));
  const all = own.length === 0 ? redirects : [...own, ...redirects];
  return { words, variables, redirects: all, values, start: node.start };
}

function readAssignmentWord(node: SyntaxNode, source: string): Word {
  const text = source.slice(node.start, node.end);
  const value = node.children[2];
  const literal = value === undefined || (value.type !== 'array' && readWord(value, source).literal);
  return { ...literalWord(text, node.start), literal, prefix: text.slice(0, text.indexOf('=') + 1) };
}

/** In a test the grammar takes the `~` of `~/x` for an operator. */
function joinTildes(words: Word[], source: string): void {
  for (let at = words.length - 2; at >= 0; at -= 1) {
    const [tilde, path] = [words[at], words[at + 1]];
    if (tilde?.text !== '~' || path?.literal !== true || path.start !== tilde.start + 1) continue;
    if (source[path.start] === '/')
      words.splice(at, 2, { ...literalWord(`~${path.text}`, tilde.start), tilde: true });
  }
}

function addTestWords(node: SyntaxNode, test: SyntaxNode, reading: Reading, words: Word[]): void {
  const single = test.children[0]?.type === '[';
  if (single && (NOT_IN_BRACKETS.has(node.type) || node.type === 'redirected_statement')) {
    reading.doubt('an operator stands inside `[ ]`');
  }
  if (!single && NOT_IN_TESTS.test(node.type)) reading.doubt('an operator stands inside `[[ ]]`');
  if (!EXPRESSIONS.has(node.type)) {
    const token = node.children.length === 0 && !WORDS.has(node.type);
    words.push(token ? literalWord(node.type, node.start) : readWord(node, reading.source));
    return;
  }
  if (!single) {
    const reason = arithmeticReason(node, reading);
    if (reason !== undefined) reading.doubt(reason);
  }
  for (const child of node.children) addTestWords(child, test, reading, words);
}

export interface SplitRedirects {
  readonly body: SyntaxNode | undefined;
  readonly redirects: readonly Redirect[];
  /** words after a redirection's target: arguments of the command */
  readonly extra: readonly SyntaxNode[];
  /** statements that stand between a here-document's start and its body */
  readonly statements: readonly SyntaxNode[];
  /** nodes with substitutions inside */
  readonly inside: readonly SyntaxNode[];
  /** bodies of here-documents */
  readonly bodies: readonly SyntaxNode[];
}

/** Takes the redirections of a statement apart. */
export function collectRedirects(node: SyntaxNode, source: string): SplitRedirects {
  const redirects: Redirect[] = [];
  const extra: SyntaxNode[] = [];
  const statements: SyntaxNode[] = [];
  const inside: SyntaxNode[] = [];
  const bodies: SyntaxNode[] = [];
  let body: SyntaxNode | undefined;
  const visit = (child: SyntaxNode): void => {
    switch (child.type) {
      case 'file_redirect':
      case 'herestring_redirect': {
        const parts = child.children.filter((part) => part.type !== 'file_descriptor');
        const [operator, target, ...more] = parts;
        if (operator === undefined) return;
        if (target !== undefined) inside.push(target);
        const word = target === undefined ? literalWord('', child.end) : readWord(target, source);
        redirects.push({ operator: operator.type, target: word });
        extra.push(...more);
        return;
      }
      case 'heredoc_redirect':
        visitHeredoc(child);
        return;
      // open: any node of the shell's grammar
      default:
        body ??= child.children.length > 0 || child.type === 'command' ? child : undefined;
    }
  };
  const visitHeredoc = (heredoc: SyntaxNode): void => {
    const start = heredoc.children.find((child) => child.type === 'heredoc_start');
    const quoted = start !== undefined && /['"\\]/.test(source.slice(start.start, start.end));
    for (const child of heredoc.children) {
      if (child.type.endsWith('_redirect')) visit(child);
      else if (child.type === 'heredoc_body') {
        bodies.push(child);
        if (!quoted) inside.push(child);
      } else if (WORDS.has(child.type)) {
        extra.push(child);
      } else if (child.children.length > 0) statements.push(child);
    }
  };
  for (const child of node.children) visit(child);
  return { body, redirects, extra, statements, inside, bodies };
}
