import type { ActionType, Effect, HostFact, Reach, RepositoryFact, Risk } from '@sallyport/protocol';
import type { RepositoryAt } from '../repository/index.ts';
import { riskOf } from '../risk.ts';

/** Where a command would run. All are absolute; nothing but the repository is looked up on disk. */
export interface CliContext {
  readonly cwd: string;
  readonly home: string;
  /** the folder that the agent works in, where `cwd` may be another: `cd x && …` */
  readonly root?: string;
  /** how many commands this one stands in: `npx tsc` */
  readonly depth?: number;
  /** the repository that a folder is in; absent: nobody looks */
  readonly repositoryAt?: RepositoryAt | undefined;
  /** what a program goes by when its words do not say where: the current context, project or workspace */
  readonly settingOf?: ((program: string) => string | undefined) | undefined;
}

/** What one command line of a known CLI would do, read from its words alone. */
export interface CliIntent {
  readonly effect: Effect;
  /** in a jail what is `host` is the agent's own */
  readonly reach: Reach;
  readonly type: ActionType;
  readonly risk: Risk;
  /** `s3 cp`, `pr create`: the verb as the CLI's own parser sees it */
  readonly operation?: string;
  /** what the operation is done to: the resource's kind and name */
  readonly object?: string;
  /** every host that the words name */
  readonly hosts?: readonly HostFact[];
  /** there may be others, and nobody can tell which; absent for what goes where the program's own settings say */
  readonly unknownHosts?: true;
  /** it runs code that the words do not show: of the workspace, or whatever an unknown verb stands for */
  readonly runsCode?: true;
  /** it takes its orders from its input, which its words do not show */
  readonly readsInput?: true;
  readonly repo?: RepositoryFact;
  /** the one request that the command will make */
  readonly request?: { readonly method: string; readonly url: string };
  /** files that the command creates or changes, as written */
  readonly writes?: readonly { readonly given: string }[];
  /** why the command cannot be known; then no `allow` with a pattern matches it */
  readonly unknown?: string;
}

/** Reads the words of one command (`argv[0]` is the program). Never throws. */
export type CliClassifier = (argv: readonly string[], context: CliContext) => CliIntent;

export function readIntent(reach: Reach, type: ActionType, operation: string): CliIntent {
  return { effect: 'read', reach, type, risk: 'low', operation };
}

export function writeIntent(reach: Reach, type: ActionType, operation: string): CliIntent {
  return { effect: 'write', reach, type, risk: riskOf(type, 'write'), operation };
}

/** A call that hands out a secret: a write of the highest risk, whatever its name sounds like. */
export function secretIntent(operation: string): CliIntent {
  return { effect: 'write', reach: 'remote', type: 'custom:cli', risk: 'critical', operation };
}

/** A verb that the table does not have. It may be a plug-in or an alias, so nothing is known about it. */
export function unknownVerb(program: string, verb: string | undefined): CliIntent {
  const reason =
    verb === undefined ? `\`${program}\` without a verb` : `\`${program}\` has no known verb \`${verb}\``;
  const base: CliIntent = {
    effect: 'write',
    reach: 'remote',
    type: 'custom:cli',
    risk: 'critical',
    unknownHosts: true,
    runsCode: true,
  };
  return { ...base, ...(verb === undefined ? {} : { operation: verb }), unknown: reason };
}

/**
 * The same intent when it cannot be trusted: a remote write of the highest risk.
 *
 * Type, repository and files stay, so that a `deny:@deploy` is not escaped by adding a strange option.
 */
export function asUnknown(intent: CliIntent, reason: string): CliIntent {
  // SECURITY: the first reason wins and nothing is loosened; a read must never survive a doubt.
  return {
    ...intent,
    effect: 'write',
    reach: 'remote',
    risk: 'critical',
    unknownHosts: true,
    runsCode: true,
    unknown: intent.unknown ?? reason,
  };
}
