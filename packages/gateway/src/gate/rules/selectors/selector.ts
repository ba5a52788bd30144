import type { Glob } from '../../../shared/glob.ts';
import type { PatternKind } from '../../../tools/index.ts';
import type { TypePattern } from '../patterns/action-types.ts';
import type { PathPattern } from '../patterns/path-pattern.ts';
import type { RequestPattern } from '../patterns/request-pattern.ts';
import type { ToolPattern } from '../patterns/tool-table.ts';

export const RULE_ACTIONS = ['allow', 'ask', 'deny'] as const;
export type RuleAction = (typeof RULE_ACTIONS)[number];

/** The kinds of what stands in brackets behind a tool's name; the registry of tools says which tool has which. */
type Bracketed = Exclude<PatternKind, 'none'>;

/** One for each of them. */
type ForEach<All extends Readonly<Record<Bracketed, object>>> = All;

type Patterns = ForEach<{
  readonly command: { readonly glob: Glob };
  readonly arguments: { readonly glob: Glob };
  readonly address: { readonly glob: Glob };
  readonly path: { readonly path: PathPattern };
  readonly request: RequestPattern;
}>;

/** What a rule is about, by its kind. Each kind has a file here: `selectors.ts` does not compile without. */
export type Selectors = {
  readonly [Kind in Bracketed]: { readonly kind: Kind; readonly tool: ToolPattern } & Patterns[Kind];
} & {
  readonly tool: { readonly kind: 'tool'; readonly tool: ToolPattern };
  readonly type: { readonly kind: 'type'; readonly type: TypePattern };
};

export type SelectorKind = keyof Selectors;
export type Selector = Selectors[SelectorKind];
