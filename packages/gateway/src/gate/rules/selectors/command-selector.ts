import type { CommandFact } from '@sallyport/protocol';
import { areaCovers, areaHits, commandArea } from '../patterns/command-area.ts';
import { parseGlob } from '../patterns/parsed.ts';
import { PrefixIndex } from '../patterns/prefix-index.ts';
import { type CompiledRule, matchesText, prefixOf } from './compiled-rule.ts';
import type { Compared, RuleIndex, SelectorDefinition } from './definition.ts';
import { describeTool } from './tool-selector.ts';

/** A command and the agent's folder, for rules that name paths. */
interface CommandPlace {
  readonly fact: CommandFact;
  readonly cwd: string;
}

/** Rules by the literal start of a text that a command has. */
export class CommandRules implements RuleIndex<CommandFact> {
  readonly #rules = new PrefixIndex<CompiledRule>();
  readonly #textOf: (fact: CommandFact) => string;
  /** whether a rule names a path */
  #hasAreas = false;

  constructor(textOf: (fact: CommandFact) => string) {
    this.#textOf = textOf;
  }

  insert(rule: CompiledRule): void {
    if (rule.area !== undefined) this.#hasAreas = true;
    this.#rules.insert(prefixOf(rule), rule);
  }

  first(fact: CommandFact, cwd: string, limit: number): CompiledRule | undefined {
    const text = this.#textOf(fact);
    // Most lists name no path: then nothing but the text counts.
    return this.#hasAreas
      ? this.#rules.first(text, limit, matchesCommand, { fact, cwd })
      : this.#rules.first(text, limit, matchesText, undefined);
  }
}

/** SECURITY: a deny or ask of a path is about every spelling of it; an allow only about paths that it names. */
export function matchesCommand(rule: CompiledRule, text: string, { fact, cwd }: CommandPlace): boolean {
  const { area } = rule;
  if (area === undefined) return matchesText(rule, text);
  if (rule.action !== 'allow') return matchesText(rule, text) || areaHits(area, fact, text, cwd);
  return matchesText(rule, text) && areaCovers(area, fact, cwd);
}

/** The command as rules see it: a program that is named by its path is that program. */
export function commandText({ argv, program, text }: CommandFact): string {
  if (program === '' || (argv.length > 0 && argv[0] === program)) return text;
  return [program, ...argv.slice(1)].join(' ');
}

/** `Bash(git *)`: the whole command. */
export const commandSelector: SelectorDefinition<'command', 'command'> = {
  example: 'Bash(git push *)',
  about: 'command',
  argument: 'command',
  parse(text, { tool }) {
    const glob = parseGlob(text, 'command');
    return glob.ok ? { ok: true, value: { kind: 'command', tool, glob: glob.value } } : glob;
  },
  compile: ({ glob }, bases) => ({ glob, area: commandArea(glob.source, 'command', bases) }),
  index: () => new CommandRules(commandText),
  matches: matchesCommand,
  concerns(rule, { tool, fact, cwd }) {
    const { selector } = rule;
    if (selector.kind !== 'command') return 'no';
    const { name, wildcard } = selector.tool;
    if (name !== tool && !(wildcard && tool.startsWith(name))) return 'no';
    return isAbout(rule, commandText(fact), fact, cwd) ? 'yes' : 'maybe';
  },
  describe: ({ tool, glob }) => `commands like \`${glob.source}\` that ${describeTool(tool)} runs`,
  shadows: globShadows,
};

/** For kinds whose pattern is all there is. */
export function globShadows(
  wide: Pick<Compared<'command'>, 'glob'>,
  narrow: Pick<Compared<'command'>, 'glob'>,
): boolean {
  return wide.glob !== undefined && narrow.glob !== undefined && wide.glob.covers(narrow.glob);
}

/** Whether what is known of a command is what a deny or ask says, by its text or by a path. */
export function isAbout({ glob, area }: CompiledRule, text: string, fact: CommandFact, cwd: string): boolean {
  return glob?.matches(text) === true || (area !== undefined && areaHits(area, fact, text, cwd));
}
