import { type Action, type CommandFact, factsOfDoor } from '@sallyport/protocol';
import type { GrantCover, TargetScope } from './grant.ts';

/** The narrowest useful standing answer to a question like this one; what a person is offered beside "once". */
export function offerGrant(action: Action): GrantCover {
  if (factsOfDoor(action.door).selfDeclared) return { kind: 'declared', type: action.type };
  const target = scopeOf(action);
  if (target === undefined) return { kind: 'fingerprint', fingerprint: action.fingerprint };
  return {
    kind: 'scope',
    type: action.type,
    effect: action.effect,
    target,
    credential: action.target.credential ?? null,
  };
}

/** Undefined: nothing narrower than this very action can be said in words. */
function scopeOf({ target, tool }: Action): TargetScope | undefined {
  switch (target.kind) {
    case 'http': {
      const repository = repositoryScope(target);
      return repository ?? { kind: 'host', host: target.host, port: target.port };
    }
    case 'command': {
      const [command, ...others] = target.commands;
      const plain = command !== undefined && others.length === 0 && target.unknown === undefined;
      if (!plain || command.unknown !== undefined || command.writes.length > 0) return undefined;
      if (command.repo !== undefined) return repositoryScope(command);
      return command.operation === undefined
        ? undefined
        : { kind: 'program', program: command.program, operation: command.operation };
    }
    case 'mcp':
    case 'path':
    case 'address':
    case 'plain':
      return { kind: 'tool', tool };
  }
}

function repositoryScope({ repo }: Pick<CommandFact, 'repo'>): TargetScope | undefined {
  if (repo?.repository === undefined || repo.refs.length === 0) return undefined;
  return { kind: 'repository', repository: repo.repository, refs: repo.refs.map(({ ref }) => ref) };
}
