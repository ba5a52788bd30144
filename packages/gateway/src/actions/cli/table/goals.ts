import {
  hasOption,
  type OptionRows,
  type OptionTable,
  optionTable,
  optionValues,
  parseArgv,
} from '../argv-parser.ts';
import { asUnknown, type CliClassifier, unknownVerb } from '../cli-intent.ts';
import { awayReason } from '../output-file.ts';
import { intentOf, type RowKind } from './row-kinds.ts';

/** A program of which every operand is something to do (`mvn clean install`), as plain data. */
export interface Goals {
  readonly options: OptionRows;
  /** goals by kind, separated by blanks */
  readonly kinds: Readonly<Partial<Record<RowKind, string>>>;
  /** the part of a word that names the goal */
  readonly nameOf?: (word: string) => string;
  /** options whose value must be in the working folder */
  readonly places: readonly string[];
  /** options that run other code or lead elsewhere, each with the reason */
  readonly traps: Readonly<Record<string, string>>;
  /** names of settings (`-Dname=value`) that do */
  readonly trapSettings: RegExp;
  readonly dry?: string;
}

/** From the mildest to the worst. */
const ORDER: readonly RowKind[] = ['look', 'fetch', 'edit', 'test', 'work', 'host', 'admin', 'deploy'];

/** The goals of a program with their kinds. */
export function goalsOf({ kinds }: Pick<Goals, 'kinds'>): ReadonlyMap<string, RowKind> {
  return new Map(
    Object.entries(kinds).flatMap(([kind, names]) =>
      // The keys are kinds: the type says so.
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, kind as RowKind] as const),
    ),
  );
}

/** The worst of its goals counts; one that is not in the table makes the command unknown. */
export function goalsClassifier(program: string, definition: Goals): CliClassifier {
  let compiled: { readonly goals: ReadonlyMap<string, RowKind>; readonly options: OptionTable } | undefined;
  const { places, traps, trapSettings, nameOf = (word: string) => word, dry } = definition;
  return (argv, context) => {
    compiled ??= { goals: goalsOf(definition), options: optionTable(definition.options) };
    // `-Dname=value` and `-Pname=value` are words of their own, whatever else begins with these letters.
    const settings = argv.slice(1).filter((word) => /^-[DP][\w.-]+=/.test(word));
    const words = argv.slice(1).filter((word) => !/^-D/.test(word) && !settings.includes(word));
    const parsed = parseArgv(spelled(words, compiled.options), compiled.options);
    const names = parsed.positionals.map(nameOf);
    const unknown = parsed.positionals.find((word) => compiled?.goals.has(nameOf(word)) !== true);
    if (unknown !== undefined) return unknownVerb(program, unknown);
    const isHelp = parsed.doubts.length === 0 && hasOption(parsed, '--help', '--version', '--status');
    if (names.length === 0 && !isHelp) return unknownVerb(program, undefined);
    const kinds = names.map((name) => compiled?.goals.get(name) ?? 'deploy');
    const worst = kinds.reduce<RowKind>(
      (held, kind) => (ORDER.indexOf(kind) > ORDER.indexOf(held) ? kind : held),
      'look',
    );
    const kind = dry !== undefined && hasOption(parsed, dry) && parsed.doubts.length === 0 ? 'look' : worst;
    const intent = intentOf(isHelp ? 'look' : kind, isHelp ? 'help' : names.join(' '));
    const reason =
      parsed.doubts[0] ??
      parsed.options
        .map(({ name }) => (traps[name] === undefined ? undefined : `\`${name}\` ${traps[name]}`))
        .find(Boolean) ??
      settings.map((word) => settingReason(word, trapSettings)).find(Boolean) ??
      awayReason(optionValues(parsed, ...places), context);
    return reason === undefined ? intent : asUnknown(intent, reason);
  };
}

/** `-pl` and `-ntp` are whole names here, no bundles of letters: the long name stands for each. */
function spelled(words: readonly string[], options: OptionTable): readonly string[] {
  return words.map((word) => {
    const entry = /^-[a-z]{2,}$/i.test(word) ? options.get(word) : undefined;
    return entry === undefined ? word : entry.name;
  });
}

function settingReason(word: string, traps: RegExp): string | undefined {
  const [name = ''] = word.slice(2).split('=');
  return traps.test(name) ? `\`${name}\` changes which code runs, or where it goes` : undefined;
}
