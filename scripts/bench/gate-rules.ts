/** One rule in a form that every engine of the bench can be given. */
export interface BenchRule {
  readonly action: 'allow' | 'deny';
  readonly tool: 'Bash' | 'Write' | 'http' | 'mcp';
  /** `*` spans everything */
  readonly pattern: string;
}

/** What is asked, as the other engines see it: a tool and one text. */
export interface BenchQuestion {
  readonly tool: BenchRule['tool'];
  readonly text: string;
}

/** `count` rules of four kinds, none of which is about the questions, and last the two that are. */
export function benchRules(count: number): readonly BenchRule[] {
  const rules = Array.from({ length: count - 2 }, (_, i): BenchRule => {
    switch (i % 4) {
      case 0:
        return { action: 'allow', tool: 'Bash', pattern: `tool${i} *` };
      case 1:
        return { action: 'allow', tool: 'http', pattern: `GET api${i}.example.com/v1/*` };
      case 2:
        return { action: 'deny', tool: 'Write', pattern: `/conf${i}/*` };
      default:
        return { action: 'deny', tool: 'mcp', pattern: `server${i}/*` };
    }
  });
  return [
    ...rules,
    { action: 'allow', tool: 'Bash', pattern: 'git *' },
    { action: 'allow', tool: 'http', pattern: 'GET api.github.com/repos/*' },
  ];
}

export const TOOL_QUESTION: BenchQuestion = { tool: 'Bash', text: 'git log --oneline -n 20' };
export const HTTP_QUESTION: BenchQuestion = {
  tool: 'http',
  text: 'GET api.github.com/repos/acme/app/issues',
};

/** The rule as the gate writes it. */
export function gateRule({ action, tool, pattern }: BenchRule): string {
  switch (tool) {
    case 'mcp':
      return `${action}:mcp:${pattern}`;
    case 'Bash':
      return `${action}:Bash(${pattern})`;
    default:
      return `${action}:${tool}(${pattern.replace(/\/\*$/, '/**')})`;
  }
}
