import type { Action, Target } from '@sallyport/protocol';
import { type LineFact, never, type RequestFact, type SentCredential } from './target-definition.ts';

// Asked of every action, some of them several times. Looked up with the other facts of a kind they would make a judgement
// half as fast (measured), so the kinds that have one are named here, and `satisfies` holds the list of those that have
// none: a new kind does not compile until it stands on one side.

/** The one request that an action is. */
export function requestOf(target: Target): RequestFact | undefined {
  if (target.kind === 'http') return target;
  target.kind satisfies 'command' | 'path' | 'mcp' | 'address' | 'plain';
  return undefined;
}

/** The commands that an action runs. */
export function lineOf(target: Target): LineFact | undefined {
  if (target.kind === 'command') return target;
  target.kind satisfies 'http' | 'path' | 'mcp' | 'address' | 'plain';
  return undefined;
}

/**
 * Whether an action names no host, may go to none that nobody can tell, and sends nothing of the agent's own: most of
 * them. Asked first, so that what needs no look takes no time.
 */
export function staysHere({ target, reach }: Pick<Action, 'target' | 'reach'>): boolean {
  if (target.named !== undefined || target.kind === 'http') return false;
  if (target.kind === 'command') {
    if (reach === 'remote' && target.unknown !== undefined) return false;
    for (const fact of target.commands)
      if (fact.reach === 'remote' || fact.ownCredentials !== undefined) return false;
    return true;
  }
  target.kind satisfies 'path' | 'mcp' | 'address' | 'plain';
  return true;
}

/** Well-known secrets that an action may read, as it names them. */
export function secretsOf(target: Target): readonly string[] {
  if (target.kind === 'path')
    return target.paths.filter(({ secret }) => secret === true).map(({ given }) => given);
  if (target.kind === 'command') return target.commands.flatMap(({ secrets = never() }) => secrets);
  target.kind satisfies 'http' | 'mcp' | 'address' | 'plain';
  return never();
}

/** Places that an action writes whose content runs later, as it names them. */
export function guardedOf(target: Target): readonly string[] {
  if (target.kind === 'path')
    return target.paths.filter(({ guarded }) => guarded === true).map(({ given }) => given);
  if (target.kind === 'command') return target.commands.flatMap(({ guarded = never() }) => guarded);
  target.kind satisfies 'http' | 'mcp' | 'address' | 'plain';
  return never();
}

/** What an action would send of the agent's own, and where to. */
export function ownCredentialsOf(target: Target): readonly SentCredential[] {
  if (target.kind === 'http')
    return target.ownCredential === undefined ? never() : [{ ...target.ownCredential, host: target.host }];
  if (target.kind === 'command')
    return target.commands.flatMap(({ ownCredentials = never() }) => ownCredentials);
  target.kind satisfies 'path' | 'mcp' | 'address' | 'plain';
  return never();
}
