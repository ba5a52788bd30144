import type { YAMLParseError } from 'yaml';

interface Explanation {
  readonly message: string;
  readonly hint?: string;
}

/** Says a YAML syntax error in words that lead to the repair. */
export function explainSyntaxError(error: YAMLParseError, text: string): Explanation {
  switch (error.code) {
    case 'TAB_AS_INDENT':
      return { message: 'a tab cannot indent', hint: 'use spaces' };
    case 'MULTIPLE_DOCS':
      return { message: 'more than one document in the file', hint: 'remove the `---`, or use `include`' };
    case 'RESOURCE_EXHAUSTION':
      return { message: 'nested too deeply' };
    case 'BAD_SCALAR_START':
      return { message: 'the text begins with a character that YAML reserves', hint: 'put it in quotes' };
    // open: any code of the parser
    default: {
      const message = error.message.replace(/\.$/, '');
      const hint = hintFor(lineAt(text, error.pos[0]));
      return {
        message: `broken YAML: ${message.charAt(0).toLowerCase()}${message.slice(1)}`,
        ...(hint === undefined ? {} : { hint }),
      };
    }
  }
}

function hintFor(line: string): string | undefined {
  if (/[{[].*\$\{/.test(line)) return 'inside `{ }` and `[ ]` a variable needs quotes around it';
  if (/:\s+[^'"#\s][^'"#]*:\s/.test(line)) return 'text with a `: ` in it needs quotes';
  return undefined;
}

function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1;
  const end = text.indexOf('\n', offset);
  // Bounded, so that a hint never costs more than the parse did.
  return text.slice(start, end < 0 ? undefined : end).slice(0, 500);
}
