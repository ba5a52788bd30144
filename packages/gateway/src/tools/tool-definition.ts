import type { ActionType, Effect, PathFact, Reach } from '@sallyport/protocol';
import type { z } from 'zod';

/** Categories that access levels name. */
export const LEVEL_CATEGORIES = [
  'file_system',
  'code_execution',
  'version_control',
  'web',
  'database',
  'terminal',
  'communication',
  'deployment',
  'memory',
  'analytics',
  'external_data',
  'browser',
  'desktop',
  'design',
  'mcp',
] as const;

/** Categories of the catalogue. `internal` tools touch nothing but the conversation: no level limits them. */
export type ToolCategory = (typeof LEVEL_CATEGORIES)[number] | 'internal';

/** What the text in brackets after a tool's name is matched with. */
export type PatternKind =
  /** the whole command: `Bash(git *)` */
  | 'command'
  /** what follows the program: `gh(pr create *)` */
  | 'arguments'
  | 'path'
  /** methods, host, path */
  | 'request'
  | 'address'
  | 'none';

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

/** What is known of a call before it is made: static, so that no model takes part in classification. */
export interface CallFacts {
  readonly type: ActionType;
  readonly effect: Effect;
  readonly reach: Reach;
  readonly target: TargetArgument;
  /** arguments that say something about the call and change nothing of it: no part of its fingerprint */
  readonly comments?: readonly string[];
}

/** How clients list a tool that the gateway carries out itself. */
export interface ToolSchema {
  readonly title: string;
  readonly description: string;
  /** unknown arguments are refused */
  readonly input: z.ZodType;
  readonly output?: z.ZodType;
  /** hints of MCP, beside whether it only reads */
  readonly destructive: boolean;
  readonly idempotent: boolean;
}

/**
 * Who carries a call out: the client itself (the gateway judges it at the hook), one of the three paths of the router
 * (host files, an MCP server, a command in the agent's sandbox), or the door that took it. `line`: nobody calls it; a
 * shell line or a request shows that it is used.
 */
export type CarriedOutBy = 'client' | 'fsal' | 'external' | 'dispatch' | 'door' | 'line';

/** All that is known about one tool. Its name, which is the key of the registry, is the one that rules use. */
export interface ToolDefinition {
  readonly category: ToolCategory;
  readonly pattern: PatternKind;
  readonly by: CarriedOutBy;
  /** for people: what it does, in a few words */
  readonly docs: string;
  /** absent: whatever calls it by this name is unknown, a remote write of the highest risk */
  readonly call?: CallFacts;
  readonly schema?: ToolSchema;
}

const TYPES = { read: 'code:read', write: 'code:write', delete: 'code:delete' } as const;

/** A call that touches the one path which an argument names. */
export function fileCall<Access extends PathFact['access']>(arg: string, access: Access) {
  return {
    type: TYPES[access],
    effect: access === 'read' ? 'read' : 'write',
    reach: 'workspace',
    target: { kind: 'path', arg, access },
  } as const satisfies CallFacts;
}
