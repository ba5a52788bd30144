import type { Reading } from './reading.ts';
import type { SyntaxNode } from './words/syntax-tree.ts';

const COMPARES_NUMBERS = /^-(?:eq|ne|lt|le|gt|ge)$/;
const COUNTS = /^(?:\$[#?$!]|\$\{#[A-Za-z_][A-Za-z0-9_]*(?:\[[@*]\])?\})$/;

/**
 * Why an expression that a shell evaluates as numbers cannot be known. A variable in it is evaluated in turn, and a
 * value such as `a[$(id)]` runs `id`; so every variable must hold nothing but numbers.
 */
export function arithmeticReason(node: SyntaxNode, reading: Reading): string | undefined {
  const text = (part: SyntaxNode): string => reading.source.slice(part.start, part.end);
  const operator = node.children.find((child) => child.type === 'test_operator');
  if (operator === undefined) return undefined;
  if (/^-[vR]$/.test(text(operator))) return 'a test evaluates a subscript';
  if (!COMPARES_NUMBERS.test(text(operator))) return undefined;
  const operands = node.children.filter((child) => child !== operator);
  return operands.every((operand) => isNumber(operand, reading)) ? undefined : UNKNOWN_NUMBER;
}

export const UNKNOWN_NUMBER = 'a variable is evaluated as a number, which can run what it holds';

/** Whether every name in an arithmetic text is known to hold numbers only. */
export function isNumber(node: SyntaxNode, reading: Reading): boolean {
  const text = reading.source.slice(node.start, node.end);
  if (/^-?\d+$/.test(text) || COUNTS.test(text)) return true;
  const name = /^\$?\{?([A-Za-z_][A-Za-z0-9_]*)\}?$/.exec(text.replace(/^"(.*)"$/, '$1'))?.[1];
  if (name !== undefined) return reading.numbers.has(name);
  if (node.children.length === 0) return !/[A-Za-z$`'"\\]/.test(text);
  if (
    node.type === 'command_substitution' ||
    node.type === 'subscript' ||
    node.type === 'expansion' ||
    node.type === 'string'
  )
    return false;
  return node.children.every((child) => isNumber(child, reading));
}

/** Names that are given nothing but numbers anywhere in the line. */
export function numericVariables(root: SyntaxNode, source: string): ReadonlySet<string> {
  const numbers = new Set<string>();
  const others = new Set<string>();
  // Builtins that set variables by name: then nothing is sure.
  if (
    /\b(?:read|mapfile|readarray|printf|getopts|let|declare|typeset|local|export|readonly|eval|select|wait)\b/.test(
      source,
    )
  )
    return numbers;
  const visit = (node: SyntaxNode): void => {
    if (node.type === 'variable_assignment' || node.type === 'for_statement') {
      const name = node.children.find((child) => child.type === 'variable_name');
      const values = node.type === 'for_statement' ? valuesOfFor(node) : node.children.slice(2);
      const plain =
        values.length > 0 &&
        values.every(
          (value) =>
            ['number', 'arithmetic_expansion', 'brace_expression'].includes(value.type) ||
            /^\d+$/.test(source.slice(value.start, value.end)),
        );
      if (name !== undefined) (plain ? numbers : others).add(source.slice(name.start, name.end));
    }
    for (const child of node.children) visit(child);
  };
  visit(root);
  return numbers.difference(others);
}

function valuesOfFor(node: SyntaxNode): readonly SyntaxNode[] {
  const from = node.children.findIndex((child) => child.type === 'in');
  const to = node.children.findIndex((child) => child.type === 'do_group');
  return from < 0
    ? []
    : node.children.slice(from + 1, to).filter((child) => child.type !== ';' && child.type !== '\n');
}
