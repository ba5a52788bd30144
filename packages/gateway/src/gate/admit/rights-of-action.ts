import type { Action } from '@sallyport/protocol';
import type { Rights as UserRights } from '../../identity/index.ts';
import type { SelectorMatcher } from '../rules/selector-matcher.ts';
import type { Rights } from '../snapshot.ts';

/** What the roles of the user behind a session give to this action. */
export function rightsOfAction(rights: UserRights, action: Action, matcher: SelectorMatcher): Rights {
  const { user, agent, chain } = action.actor;
  const acting = agent ?? '';
  if (!rights.mayUseAgent(acting)) {
    const through = chain.length > 1 ? ` through ${chain.join(' → ')}` : '';
    return {
      permitted: false,
      reason: `\`${user ?? 'nobody'}\` may not use the agent \`${acting}\`${through}`,
    };
  }
  const mayUse = rights.mayUseTool({
    tool: action.tool,
    matches: (pattern, as) => matcher.matches(`${action.tool}(${pattern})`, action, as),
  });
  if (mayUse) return { permitted: true };
  return { permitted: false, reason: `the roles of \`${user ?? 'nobody'}\` do not reach \`${action.tool}\`` };
}
