import {
  type ActionType,
  type CommandFact,
  type Effect,
  type Reach,
  RISKS,
  type Risk,
} from '@sallyport/protocol';

export interface CommandSummary {
  readonly effect: Effect;
  readonly reach: Reach;
  readonly type: ActionType;
  readonly risk: Risk;
}

const UNKNOWN: CommandSummary = { effect: 'write', reach: 'remote', type: 'custom:cli', risk: 'critical' };

/**
 * What a whole line does: the worst that one of its commands does. The type is that of the command with the
 * highest risk, the reach that of the farthest. A line that cannot be read is the worst there is; in a jail it stays inside.
 */
export function summarizeCommands(
  commands: readonly CommandFact[],
  unknown: string | undefined,
  confined: boolean,
): CommandSummary {
  const worst =
    unknown === undefined
      ? undefined
      : { ...UNKNOWN, reach: confined ? ('workspace' as const) : UNKNOWN.reach };
  const [first, ...rest] = commands;
  if (first === undefined) {
    // An empty line runs nothing; a line of which nothing could be read might run anything.
    return worst ?? { effect: 'read', reach: 'workspace', type: 'custom:cli', risk: 'low' };
  }
  let leading: CommandSummary = first;
  let effect = worst?.effect ?? first.effect;
  let reach = worst?.reach ?? first.reach;
  for (const command of rest) {
    if (command.effect === 'write') effect = 'write';
    reach = farther(reach, command.reach);
    if (rank(command.risk) > rank(leading.risk)) leading = command;
  }
  if (commands.some((command) => command.writes.length > 0)) effect = 'write';
  if (worst !== undefined && commands.some((command) => command.reach === 'remote')) reach = 'remote';
  return { effect, reach, type: leading.type, risk: worst?.risk ?? leading.risk };
}

const DISTANCE: Readonly<Record<Reach, number>> = { workspace: 0, host: 1, remote: 2 };

function farther(a: Reach, b: Reach): Reach {
  return DISTANCE[b] > DISTANCE[a] ? b : a;
}

function rank(risk: Risk): number {
  return RISKS.indexOf(risk);
}
