import { ACTION_TYPES, API_ACTION_TYPES, BUILT_IN_CUSTOM_TYPES } from '@sallyport/protocol';
import { z } from 'zod';
import { didYouMean, suggest } from '../../shared/suggest.ts';
import { nameSchema } from './values.ts';

/** What one line of a role names. `*` in a pattern stands for any run of characters. */
export type RoleSelector =
  | { readonly kind: 'agent'; readonly pattern: string }
  | { readonly kind: 'tool'; readonly tool: string; readonly pattern?: string }
  | { readonly kind: 'approve'; readonly type: string };

const KINDS = ['agent', 'tool', 'approve'] as const;
const AGENT_PATTERN = /^[A-Za-z0-9*][A-Za-z0-9._*-]{0,63}$/;
const TOOL = /^([A-Za-z*][A-Za-z0-9_.:/*-]{0,127})(?:\(([^\r\n]{1,1000})\))?$/;
const CUSTOM_TYPE = /^custom:[a-z0-9][a-z0-9_.-]{0,63}$/;

const APPROVE_TYPES: readonly string[] = [
  '*',
  ...ACTION_TYPES,
  ...new Set(ACTION_TYPES.map((type) => type.slice(0, type.indexOf(':')))),
  ...BUILT_IN_CUSTOM_TYPES,
  'custom',
  ...API_ACTION_TYPES,
];

/** Outcome of reading a selector: the selector, or what is wrong with the text. */
export type SelectorResult =
  | { readonly kind: 'selector'; readonly selector: RoleSelector }
  | { readonly kind: 'problem'; readonly message: string; readonly hint?: string };

/** Reads `agent:x`, `tool:Bash`, `tool:Bash(git *)`, `approve:*`, `approve:vcs`, `approve:vcs:push`. */
export function parseSelector(text: string): SelectorResult {
  const border = text.indexOf(':');
  const kind = border < 0 ? text : text.slice(0, border);
  const rest = border < 0 ? '' : text.slice(border + 1);
  switch (kind) {
    case 'agent':
      if (!AGENT_PATTERN.test(rest)) return problem('`agent:` needs the name of an agent, or `*`');
      return { kind: 'selector', selector: { kind: 'agent', pattern: rest } };
    case 'tool': {
      const match = TOOL.exec(rest);
      const [, tool, pattern] = match ?? [];
      if (tool === undefined) {
        return problem('`tool:` needs the name of a tool', 'for example `tool:Bash` or `tool:Bash(git *)`');
      }
      return {
        kind: 'selector',
        selector: { kind: 'tool', tool, ...(pattern === undefined ? {} : { pattern }) },
      };
    }
    case 'approve':
      if (!APPROVE_TYPES.includes(rest) && !CUSTOM_TYPE.test(rest)) {
        return problem(
          '`approve:` needs an action type, a category of types, or `*`',
          didYouMean(rest, APPROVE_TYPES) ?? 'for example `approve:vcs:push`, `approve:vcs`, `approve:*`',
        );
      }
      return { kind: 'selector', selector: { kind: 'approve', type: rest } };
    // open: what somebody wrote
    default: {
      const near = suggest(kind, KINDS);
      return problem(
        'a selector starts with `agent:`, `tool:` or `approve:`',
        near === undefined
          ? 'for example `agent:dev`, `tool:Bash(git *)`, `approve:*`'
          : `did you mean \`${near}:${rest}\`?`,
      );
    }
  }
}

function problem(message: string, hint?: string): SelectorResult {
  return { kind: 'problem', message, ...(hint === undefined ? {} : { hint }) };
}

/** A selector as text, its syntax and its action type checked. */
export const selectorSchema = z.string().superRefine((text, context) => {
  const result = parseSelector(text);
  if (result.kind === 'problem') {
    context.addIssue({ code: 'custom', message: result.message, params: { hint: result.hint } });
  }
});

const selectors = z.array(selectorSchema);

export const RoleSchema = z.strictObject({
  allow: selectors
    .default([])
    .describe(
      'what the role may do: `agent:<name>`, `tool:<name>`, `tool:<name>(<pattern>)`, `approve:<type>`; `*` stands for any',
    ),
  deny: selectors.default([]).describe('what it may not do, whatever another role allows; deny beats allow'),
});

export const RolesSchema = z
  .record(nameSchema, RoleSchema)
  .describe('roles by name; a tenant finds a role among its own first, then at the top level');
