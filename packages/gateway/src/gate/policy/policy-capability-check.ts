import type { ArgumentKind } from '@sallyport/protocol';
import type { Config, ConfigPath, ConfigProblem } from '../../config/index.ts';
import { type PatternKind, TOOL_NAMES } from '../../tools/index.ts';
import { parseToolPattern, patternKindOf } from '../rules/patterns/tool-table.ts';
import { SELECTORS } from '../rules/selectors/selectors.ts';

type CapabilityConfig = NonNullable<Config['security_contexts'][string]['capabilities']>[number];

/** The kinds of target that an allowlist can say something about. */
const LISTS = {
  path_allowlist: ['path'],
  // What a tool without an address does name is held by it all the same.
  domain_allowlist: ['url', 'domain', 'address', 'command', 'none'],
  account_allowlist: ['address'],
  subcommand_allowlist: ['command'],
} as const satisfies Readonly<Record<string, readonly ArgumentKind[]>>;

/** What a capability says and could never do: a `target` beside what is built in, an allowlist of another kind. */
export function checkCapabilityTarget(
  at: ConfigPath,
  capability: CapabilityConfig,
): readonly ConfigProblem[] {
  const { tool, target } = capability;
  const known = builtInKinds(tool);
  if (target !== undefined) {
    const { kind } = target;
    const said = kind === 'domain' ? 'url' : kind;
    const other = [...known].find(([, builtIn]) => builtIn !== said);
    if (other !== undefined) {
      const message = `the target of \`${other[0]}\` is built in, and its kind is \`${other[1]}\``;
      const hint = 'leave `target` out, or name the one tool that it is about';
      return [{ severity: 'error', path: [...at, 'target', 'kind'], message, hint }];
    }
  }
  const kinds = target === undefined ? new Set(known.values()) : new Set([target.kind]);
  // Nothing is known of the tools of a server: without a target each of their calls is refused.
  if (kinds.size === 0) return [];
  const problems: ConfigProblem[] = [];
  for (const [list, fitting] of Object.entries(LISTS)) {
    if (capability[list as keyof typeof LISTS] === undefined) continue;
    if (fitting.some((kind) => kinds.has(kind))) continue;
    problems.push({
      severity: 'error',
      path: [...at, list],
      message: `\`${list}\` can have no effect here: the target of \`${tool}\` is of the kind ${[...kinds].map((kind) => `\`${kind}\``).join(' or ')}`,
      hint: `it is about targets of the kind ${fitting.map((kind) => `\`${kind}\``).join(', ')}`,
    });
  }
  return problems;
}

/** The built-in tools that a pattern covers, with the kinds of their targets. */
function builtInKinds(text: string): ReadonlyMap<string, ArgumentKind> {
  const pattern = parseToolPattern(text);
  if (pattern === undefined) return new Map();
  const covered = TOOL_NAMES.filter((tool) =>
    pattern.wildcard ? tool.startsWith(pattern.name) : tool === pattern.name,
  );
  return new Map(covered.map((tool) => [tool, argumentOf(patternKindOf(tool) ?? 'none')]));
}

function argumentOf(pattern: PatternKind): ArgumentKind {
  return pattern === 'none' ? 'none' : SELECTORS[pattern].argument;
}
