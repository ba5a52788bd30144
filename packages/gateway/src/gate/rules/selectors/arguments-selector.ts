import type { CommandFact } from '@sallyport/protocol';
import { commandArea } from '../patterns/command-area.ts';
import { parseGlob } from '../patterns/parsed.ts';
import { CommandRules, globShadows, isAbout, matchesCommand } from './command-selector.ts';
import type { SelectorDefinition } from './definition.ts';
import { describeTool } from './tool-selector.ts';

/** What follows the program. */
export function argumentText({ argv }: CommandFact): string {
  return argv.slice(1).join(' ');
}

/** `gh(pr create *)`: what follows the program, whoever runs it. */
export const argumentsSelector: SelectorDefinition<'arguments', 'program'> = {
  example: 'gh(pr create *)',
  about: 'program',
  argument: 'command',
  parse(text, { tool }) {
    const glob = parseGlob(text, 'command');
    return glob.ok ? { ok: true, value: { kind: 'arguments', tool, glob: glob.value } } : glob;
  },
  compile: ({ glob }, bases) => ({ glob, area: commandArea(glob.source, 'arguments', bases) }),
  index: () => new CommandRules(argumentText),
  matches: matchesCommand,
  concerns(rule, { fact, cwd }) {
    const { selector } = rule;
    const isOwn = selector.kind === 'arguments' && selector.tool.name === fact.program;
    return isOwn && isAbout(rule, argumentText(fact), fact, cwd) ? 'yes' : 'maybe';
  },
  describe: ({ tool, glob }) => `${describeTool(tool)} with arguments like \`${glob.source}\``,
  shadows: globShadows,
};
