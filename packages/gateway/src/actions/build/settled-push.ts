import type { CommandFact } from '@sallyport/protocol';

/** git's own verbs that change neither where a push goes nor which branch is checked out. */
const KEEPS_ALL: ReadonlySet<string> = new Set(
  'add stage rm mv commit restore merge rebase fetch pull push'.split(' '),
);
/** These check another branch out: what a push names by itself stays what it is. */
const MOVES_HEAD: ReadonlySet<string> = new Set(['checkout', 'switch']);

/**
 * Where a push goes was read from the config before the line runs.
 *
 * SECURITY: what runs beside the push may change that config, so then nobody knows where it goes [GA-15].
 */
export function settledPushes(commands: readonly CommandFact[]): readonly CommandFact[] {
  if (commands.length < 2 || !commands.some((fact) => isPush(fact) || isTalk(fact))) return commands;
  return commands.map((fact) => {
    if (isTalk(fact)) return settledTalk(fact, commands);
    if (!isPush(fact) || fact.unknown !== undefined) return fact;
    const spelled = spellsRefs(fact);
    const other = commands.find((each) => each !== fact && !leavesAlone(each, spelled));
    return other === undefined
      ? fact
      : { ...fact, risk: 'critical', unknown: `\`${other.program}\` may change where the push goes` };
  });
}

function isPush({ program, repo, reach }: CommandFact): boolean {
  return (
    program === 'git' && reach === 'remote' && repo?.repository !== undefined && repo.area === 'contents'
  );
}

/** What gh says in the repository that the config names. */
function isTalk({ program, repo }: CommandFact): boolean {
  return program === 'gh' && repo?.area === 'collaboration';
}

/** Where something beside it may change that, it is not said to be talk there: the command itself is what it was. */
function settledTalk(fact: CommandFact, commands: readonly CommandFact[]): CommandFact {
  if (commands.every((each) => each === fact || isTalk(each) || leavesAlone(each, true))) return fact;
  const { repo: _, ...rest } = fact;
  return rest;
}

function leavesAlone(
  { program, effect, operation = '', unknown, writes }: CommandFact,
  spelled: boolean,
): boolean {
  if (unknown !== undefined) return false;
  if (program === 'git')
    return (
      KEEPS_ALL.has(operation.split(' ')[0] ?? '') ||
      effect === 'read' ||
      (spelled && MOVES_HEAD.has(operation))
    );
  return program === 'cd' || (effect === 'read' && writes.length === 0);
}

/** Whether each ref that it moves stands in its words. */
function spellsRefs({ argv, repo }: CommandFact): boolean {
  const words = new Set(argv.map((word) => word.replace(/^\+/, '').split(':').at(-1)));
  return (
    repo?.refs.every(({ ref }) => words.has(ref) || words.has(ref.replace(/^refs\/heads\//, ''))) === true
  );
}
