import {
  type Action,
  type ActionType,
  type CommandFact,
  type CommandTarget,
  type Effect,
  factsOfDoor,
  type HttpTarget,
} from '@sallyport/protocol';

/** How long a standing answer stands. */
export type GrantScope = 'once' | 'session' | 'minutes' | 'always';

/** Which part of the world a grant is about: as narrow as the action that it was given for. */
export type TargetScope =
  | { readonly kind: 'host'; readonly host: string; readonly port: number }
  /** a repository, and the branches that were named; absent: any but protected ones, which ask each time */
  | { readonly kind: 'repository'; readonly repository: string; readonly refs: readonly string[] }
  | { readonly kind: 'program'; readonly program: string; readonly operation: string }
  | { readonly kind: 'tool'; readonly tool: string };

/** What a grant covers. The credential's name is part of it: another credential is another question. */
export type GrantCover =
  | { readonly kind: 'fingerprint'; readonly fingerprint: string }
  | { readonly kind: 'pattern'; readonly selector: string; readonly credential: string | null }
  | {
      readonly kind: 'scope';
      readonly type: ActionType;
      readonly effect: Effect;
      readonly target: TargetScope;
      readonly credential: string | null;
    }
  /** the approval API's own: a declared type; never reaches another door */
  | { readonly kind: 'declared'; readonly type: ActionType };

/** A standing answer that a person gave: visible, counted, revocable. */
export interface Grant {
  readonly id: string;
  readonly tenant: string;
  readonly agent?: string;
  readonly client?: string;
  readonly covers: GrantCover;
  readonly scope: GrantScope;
  /** the one session, for scope `session` */
  readonly session?: string;
  /** ms since epoch; absent: until revoked or used up */
  readonly expiresAt?: number;
  readonly createdAt: number;
  /** the person who gave it */
  readonly createdBy: string;
  readonly approvalId?: string;
  readonly uses: number;
  readonly endedAt?: number;
  readonly endReason?: string;
}

/** Whether a selector of a rule (`Bash(git push *)`) matches an action; handed in, because rules compile it. */
export type MatchesSelector = (selector: string, action: Action) => boolean;

/**
 * Whether a grant is the answer to this action now.
 *
 * Says nothing about what may be answered: the caller asks only for asks of strength `review` and `human`.
 */
export function grantCovers(grant: Grant, action: Action, now: number, matches: MatchesSelector): boolean {
  const { actor } = action;
  if (grant.endedAt !== undefined) return false;
  if (grant.expiresAt !== undefined && !(now < grant.expiresAt)) return false;
  // SECURITY: a grant belongs to one tenant and one agent or client, and to no other.
  if (grant.tenant !== actor.tenant || grant.agent !== actor.agent || grant.client !== actor.client)
    return false;
  if (grant.agent === undefined && grant.client === undefined) return false;
  if (grant.scope === 'session' && (grant.session === undefined || grant.session !== sessionOf(action)))
    return false;
  const declared = grant.covers.kind === 'declared';
  if (declared !== factsOfDoor(action.door).selfDeclared) return false;
  return covers(grant.covers, action, matches);
}

/** An API client names its runs itself; an agent's session is proved by its token. */
function sessionOf({ door, actor, input }: Action): unknown {
  return factsOfDoor(door).speaker === 'client' ? input.session_id : actor.session;
}

function covers(cover: GrantCover, action: Action, matches: MatchesSelector): boolean {
  switch (cover.kind) {
    case 'fingerprint':
      return cover.fingerprint === action.fingerprint;
    case 'declared':
      return cover.type === action.type;
    case 'pattern':
      return cover.credential === (action.target.credential ?? null) && matches(cover.selector, action);
    case 'scope':
      return (
        cover.type === action.type &&
        cover.effect === action.effect &&
        cover.credential === (action.target.credential ?? null) &&
        inScope(cover.target, action)
      );
  }
}

function inScope(scope: TargetScope, { target, tool }: Action): boolean {
  switch (scope.kind) {
    case 'tool':
      return tool === scope.tool;
    case 'host':
      return target.kind === 'http' && target.host === scope.host && target.port === scope.port;
    case 'repository':
      if (target.kind === 'http') return inRepository(scope, target);
      return target.kind === 'command' && everyCommand(target, (command) => inRepository(scope, command));
    case 'program':
      return (
        target.kind === 'command' &&
        everyCommand(
          target,
          ({ program, operation }) => program === scope.program && operation === scope.operation,
        )
      );
  }
}

/** A line is covered only as a whole: one other command, one redirection, one doubt, and it is another question. */
function everyCommand(
  { commands, unknown }: CommandTarget,
  test: (command: CommandFact) => boolean,
): boolean {
  if (unknown !== undefined || commands.length === 0) return false;
  return commands.every(
    (command) => command.unknown === undefined && command.writes.length === 0 && test(command),
  );
}

function inRepository(
  scope: TargetScope & { readonly kind: 'repository' },
  { repo }: Pick<HttpTarget, 'repo'> | Pick<CommandFact, 'repo'>,
): boolean {
  if (repo?.repository !== scope.repository || repo.refs.length === 0) return false;
  return repo.refs.every(
    ({ ref, change }) => scope.refs.includes(ref) && (change === 'create' || change === 'update'),
  );
}
