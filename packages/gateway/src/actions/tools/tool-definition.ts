import type { ActionType, Effect, PathFact, Reach } from '@sallyport/protocol';

/** Where a tool's call leads: which argument says so, and what kind of thing it names. */
export type TargetArgument =
  | {
      readonly kind: 'path';
      readonly arg: string;
      readonly access: PathFact['access'];
      readonly optional?: true;
      /** goes through everything below it */
      readonly below?: true;
    }
  /** a glob whose fixed beginning may point elsewhere */
  | { readonly kind: 'glob'; readonly arg: string; readonly folder: string }
  /** Codex's patch text, which names its files inside */
  | { readonly kind: 'patch'; readonly args: readonly string[] }
  | { readonly kind: 'shell'; readonly arg: string; readonly cwd?: string }
  /** a program and its arguments, without a shell */
  | { readonly kind: 'argv'; readonly command: string; readonly args: string }
  | { readonly kind: 'url'; readonly arg: string }
  | { readonly kind: 'address'; readonly account: string; readonly to: readonly string[] }
  | { readonly kind: 'none' };

/** What is known of a tool before any call: static, so that no model takes part in classification. */
export interface ToolDefinition {
  /** the one name that rules use */
  readonly name: string;
  readonly type: ActionType;
  readonly effect: Effect;
  readonly reach: Reach;
  readonly target: TargetArgument;
}
