import { verifyHeredoc } from './verify-heredoc.ts';
import {
  hidesExpansion,
  isAnsiCString,
  isPlainWord,
  isUnquotedPattern,
  verifyExpansion,
} from './verify-leaf.ts';
import type { SyntaxNode } from './words/syntax-tree.ts';

/** Where a node stands decides which quotes and blanks are special there. */
type Place = 'shell' | 'string' | 'expansion' | 'arithmetic' | 'test';

const BLANKS = /^(?:[ \t]|\\\n)*$/;
const BLANKS_OR_LINES = /^(?:[ \t\n]|\\\n)*$/;
const SIMPLE_EXPANSION = /^\$(?:\w+|[@*#?$!-])$/;
const BEFORE_COMMENT = /[\s;|&()]/;

/** Nodes whose children are statements: a newline between them separates, as it does in a shell. */
const STATEMENT_LISTS = new Set([
  'program',
  'subshell',
  'do_group',
  'if_statement',
  'elif_clause',
  'else_clause',
  'while_statement',
  'list',
  'pipeline',
  'case_statement',
  'case_item',
  'function_definition',
  'command_substitution',
  'process_substitution',
  'compound_statement',
  'c_style_for_statement',
  'for_statement',
  'array',
]);
const WORD_LISTS = new Set([
  'command',
  'declaration_command',
  'unset_command',
  'negated_command',
  'redirected_statement',
  'variable_assignments',
  'file_redirect',
  'herestring_redirect',
  'test_command',
]);
const EXPRESSIONS = new Set([
  'binary_expression',
  'unary_expression',
  'postfix_expression',
  'ternary_expression',
  'parenthesized_expression',
]);
const NO_GAPS = new Set([
  'concatenation',
  'simple_expansion',
  'brace_expression',
  'variable_assignment',
  'number',
  'translated_string',
]);
const REDIRECTS = new Set(['file_redirect', 'herestring_redirect', 'heredoc_redirect']);
/** Tokens and leaves without text of their own to check. */
const TOKEN =
  /^(?:[^A-Za-z_\s]+|[AEKLPQUaku]|\n|case|declare|do|done|elif|else|esac|export|fi|for|function|if|in|local|readonly|select|then|typeset|unset|unsetenv|until|while)$/;

/**
 * Checks that the tree says what a shell would read. The grammar is lenient (it skips newlines and escaped
 * blanks, and hides text inside patterns); this says in words where it may have been. Every character is covered
 * by a checked leaf or by blanks, every node type is known: then a shell sees the same words.
 */
export function verifyTree(root: SyntaxNode, source: string): string | undefined {
  // The root begins at the first token: what the grammar skipped before it is not part of any node.
  if (!/^[ \t\n]*$/.test(source.slice(0, root.start))) return 'the beginning of the line is unclear';
  if (!/^[ \t\n]*$/.test(source.slice(root.end))) return 'the end of the line is unclear';
  return verify(root, source, 'shell');
}

function verify(node: SyntaxNode, source: string, place: Place): string | undefined {
  const { type, children } = node;
  if (type === 'ERROR') return 'the line has a syntax error';
  if (children.length === 0) return verifyLeaf(node, source, place);
  if (type === 'heredoc_redirect') {
    const heredoc = verifyHeredoc(node, source);
    if (heredoc.problem !== undefined) return heredoc.problem;
    return verifyAll(heredoc.children, source, 'shell');
  }
  if (type === 'heredoc_body') return verifyHeredocBody(node, source);
  if (type === 'simple_expansion') return verifyShape(node, source);
  return (
    verifyGaps(node, source) ??
    verifyShape(node, source) ??
    verifyAll(children, source, placeInside(node, place))
  );
}

function verifyAll(nodes: readonly SyntaxNode[], source: string, place: Place): string | undefined {
  for (const node of nodes) {
    const problem = verify(node, source, place);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function placeInside(node: SyntaxNode, place: Place): Place {
  switch (node.type) {
    case 'string':
      return 'string';
    case 'expansion':
    case 'subscript':
      return 'expansion';
    case 'arithmetic_expansion':
      return 'arithmetic';
    case 'compound_statement':
      return node.children[0]?.type === '((' ? 'arithmetic' : 'shell';
    case 'test_command':
    case 'case_item':
      return 'test';
    case 'command_substitution':
    case 'process_substitution':
    case 'command':
    case 'redirected_statement':
      return 'shell';
    // open: any node of the shell's grammar
    default:
      return place;
  }
}

function verifyGaps({ type, children, start, end }: SyntaxNode, source: string): string | undefined {
  if (type === 'string') return undefined;
  const allowed = STATEMENT_LISTS.has(type)
    ? BLANKS_OR_LINES
    : WORD_LISTS.has(type) || EXPRESSIONS.has(type) || type === 'expansion' || type === 'command_name'
      ? BLANKS
      : type === 'arithmetic_expansion'
        ? BLANKS_OR_LINES
        : undefined;
  const none = NO_GAPS.has(type) || type === 'subscript';
  if (allowed === undefined && !none) return `the line has a construct that is not known (\`${type}\`)`;
  let at = start;
  for (let index = 0; index < children.length; index += 1) {
    const child = children[index];
    if (child === undefined) break;
    if (child.start < at) return 'the syntax tree overlaps itself';
    if (child.start > at) {
      const gap = source.slice(at, child.start);
      if (none) return 'a word is interrupted';
      // One blank, as nearly everywhere: every list of words or statements has it.
      if (gap === ' ') {
        at = child.end;
        continue;
      }
      if (allowed?.test(gap) !== true) return 'words are separated by something other than blanks';
      // `a\⏎b` is one word for a shell, two for the grammar.
      if (!/[ \t\n]/.test(gap.replaceAll('\\\n', ''))) return 'a line continuation joins two words';
      if (
        type === 'for_statement' &&
        gap.includes('\n') &&
        child.type !== 'do_group' &&
        child.type !== 'comment'
      )
        return 'words are separated by something other than blanks';
    } else if (index > 0 && WORD_LISTS.has(type)) {
      // SECURITY: two words without a blank between them are one word for a shell.
      const touching = REDIRECTS.has(child.type) || child.type === '\n' || isTokenType(child.type);
      const before = children[index - 1];
      if (!touching && !(before !== undefined && isTokenType(before.type)))
        return 'two words touch each other';
    }
    at = child.end;
  }
  return at < end && !BLANKS_OR_LINES.test(source.slice(at, end))
    ? 'the end of a construct is unclear'
    : undefined;
}

function verifyShape(node: SyntaxNode, source: string): string | undefined {
  const { type, children } = node;
  if (type !== 'case_item' && children.some((child) => child.type === ';;')) return '`;;` outside `case`';
  switch (type) {
    case 'simple_expansion':
      return SIMPLE_EXPANSION.test(source.slice(node.start, node.end))
        ? undefined
        : 'an expansion is unclear';
    case 'expansion':
      return verifyExpansion(source.slice(node.start, node.end));
    case 'command':
      if (children.some((child) => child.type === 'regex')) return 'a word has parentheses';
      return children.some((child) => child.type === 'subshell') ? 'a word is followed by `(`' : undefined;
    case 'command_substitution': {
      if (children[0]?.type === '$`') return 'a dollar sign precedes a backtick';
      const backtick = children[0]?.type === '`';
      // A shell removes one level of backslashes before it parses what is between backticks.
      return backtick && source.slice(node.start, node.end).includes('\\')
        ? 'a backslash between backticks'
        : undefined;
    }
    case 'compound_statement':
      if (children[0]?.type === '{' && !/[ \t\n]/.test(source[node.start + 1] ?? ''))
        return 'a word begins with `{`';
      return undefined;
    case 'negated_command':
      // `!ls` is a word, `! ls` a negation.
      return /[ \t]/.test(source[node.start + 1] ?? '') ? undefined : 'a word begins with `!`';
    case 'string':
      return children.some((child) => child.type === 'comment') ? 'a string is unclear' : undefined;
    case 'file_redirect': {
      const operator = children.findIndex((child) => child.type !== 'file_descriptor');
      const descriptor = operator === 1 ? children[0] : undefined;
      if (descriptor === undefined) return undefined;
      const before = source[descriptor.start - 1] ?? ' ';
      const joined = descriptor.end === children[1]?.start && /[\s;|&()<>]/.test(before);
      return joined && /^\d+$/.test(source.slice(descriptor.start, descriptor.end))
        ? undefined
        : 'a file descriptor is unclear';
    }
    // open: any node of the shell's grammar
    default:
      return undefined;
  }
}

function verifyHeredocBody(body: SyntaxNode, source: string): string | undefined {
  let at = body.start;
  for (const child of body.children) {
    if (hidesExpansion(source.slice(at, child.start))) return 'a here-document hides an expansion';
    if (child.type === 'heredoc_content') {
      if (hidesExpansion(source.slice(child.start, child.end))) return 'a here-document hides an expansion';
    } else {
      const problem = verify(child, source, 'string');
      if (problem !== undefined) return problem;
    }
    at = child.end;
  }
  return hidesExpansion(source.slice(at, body.end)) ? 'a here-document hides an expansion' : undefined;
}

function verifyLeaf({ type, start, end }: SyntaxNode, source: string, place: Place): string | undefined {
  const text = source.slice(start, end);
  switch (type) {
    case 'word':
    case 'variable_name':
    case 'special_variable_name':
    case 'number':
      if (place === 'shell' || place === 'test') {
        if (type === 'word' && text.startsWith('#') && /[\s;|&()]/.test(source[start - 1] ?? ' '))
          return 'a comment is unclear';
        return isPlainWord(text) || type === 'special_variable_name' ? undefined : 'a word is unclear';
      }
      return hidesExpansion(text) && type !== 'special_variable_name'
        ? 'a word hides an expansion'
        : undefined;
    case 'raw_string':
      // SECURITY: inside `"${x:-'$(id)'}"` and `$(( ))` single quotes do not quote.
      return place !== 'shell' && place !== 'test' && hidesExpansion(text)
        ? 'a quoted text hides an expansion'
        : undefined;
    case 'ansi_c_string':
      if (place !== 'shell' && place !== 'test') return 'an ANSI-C string inside another construct';
      return isAnsiCString(text) ? undefined : 'an ANSI-C string is unclear';
    case 'string_content':
    case 'heredoc_body':
      return hidesExpansion(text) ? 'a string hides an expansion' : undefined;
    case 'regex':
    case 'extglob_pattern':
      return isUnquotedPattern(text) ? undefined : 'a pattern hides something';
    case 'comment':
      return start === 0 || BEFORE_COMMENT.test(source[start - 1] ?? '') ? undefined : 'a comment is unclear';
    case '$':
      return place === 'string' || /^(?:[\s;|&)]|$)/.test(source[end] ?? '')
        ? undefined
        : 'a dollar sign is unclear';
    case '``':
      return 'an empty substitution joins words';
    case 'test_operator':
    case 'file_descriptor':
    case 'heredoc_start':
    case 'heredoc_end':
    case 'program':
    case 'array':
      return undefined;
    // open: any node of the shell's grammar
    default:
      return isTokenType(type) ? undefined : `the line has a construct that is not known (\`${type}\`)`;
  }
}

function isTokenType(type: string): boolean {
  return TOKEN.test(type);
}
