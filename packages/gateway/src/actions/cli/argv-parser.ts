/**
 * How an option takes its value: never, always (`-o x`, `-ox`, `--out x`, `--out=x`), only when attached
 * (`--color`, `--color=auto`), or always unless it is the last word (`git branch --merged`).
 */
export type Takes = 'none' | 'value' | 'maybe' | 'unlessLast';

export interface OptionEntry {
  /** the last alias of its row, which is the long one */
  readonly name: string;
  readonly takes: Takes;
}

export type OptionTable = ReadonlyMap<string, OptionEntry>;

/** Rows are separated by white space, aliases of one row by `|`: `-o|--output --debug`. */
export interface OptionRows {
  readonly none?: string;
  readonly value?: string;
  readonly maybe?: string;
  readonly unlessLast?: string;
}

/** How a program reads its words. */
export interface ArgvStyle {
  /** long options may be shortened to a prefix (git, curl, wget, argparse) */
  readonly abbreviations?: boolean;
  /** every `--x` has a `--no-x` */
  readonly negation?: boolean;
  /** `-chdir=x` is one long option, there are no clusters (Go's flag package) */
  readonly singleDashLong?: boolean;
  /** `-n=x` means the value `x`, not `=x` (pflag) */
  readonly shortEquals?: boolean;
  /** the first word that is no option ends the parse (global options before a verb) */
  readonly stopAtPositional?: boolean;
  /** `-5` is an option of its own */
  readonly digits?: boolean;
}

export interface ParsedOption {
  readonly name: string;
  readonly value?: string;
}

export interface ParsedArgv {
  readonly options: readonly ParsedOption[];
  /** in order, including what stands after `--` */
  readonly positionals: readonly string[];
  /** what stands after `--`; undefined when there is no `--` */
  readonly afterDashes?: readonly string[];
  /** words that were not read, when the parse stopped early */
  readonly rest: readonly string[];
  /** why the result may be wrong; empty when every word was understood */
  readonly doubts: readonly string[];
}

/** Joins rows into one table; a later row of the same name wins. */
export function optionTable(...rows: readonly OptionRows[]): OptionTable {
  const table = new Map<string, OptionEntry>();
  for (const row of rows) {
    for (const takes of ['none', 'value', 'maybe', 'unlessLast'] as const) {
      for (const group of (row[takes] ?? '').split(/\s+/).filter((text) => text !== '')) {
        const aliases = group.split('|');
        const name = aliases.at(-1) ?? group;
        for (const alias of aliases) table.set(alias, { name, takes });
      }
    }
  }
  return table;
}

/**
 * Splits words into options and positionals the way the program itself would.
 *
 * What the table does not know becomes a doubt, never a guess: the caller must then treat the whole
 * command as unknown.
 */
export function parseArgv(words: readonly string[], table: OptionTable, style: ArgvStyle = {}): ParsedArgv {
  const options: ParsedOption[] = [];
  const positionals: string[] = [];
  const doubts: string[] = [];
  let index = 0;

  const take = (entry: OptionEntry, attached: string | undefined): void => {
    let value = attached;
    if (value === undefined && (entry.takes === 'value' || entry.takes === 'unlessLast')) {
      index += 1;
      value = words[index];
      if (value === undefined && entry.takes === 'value') doubts.push(`\`${entry.name}\` has no value`);
      // Most programs take it as the value, argparse refuses it, a person misreads it: nobody may rely on it.
      if (value !== undefined && /^-[^\s\d]\S*$/.test(value)) {
        doubts.push(`\`${entry.name}\` takes the option \`${value}\` as its value`);
      }
    }
    options.push(value === undefined ? { name: entry.name } : { name: entry.name, value });
  };

  const takeCluster = (word: string): void => {
    for (let at = 1; at < word.length; at += 1) {
      const entry = table.get(`-${word[at]}`);
      if (entry === undefined) {
        doubts.push(`option \`-${word[at]}\` is not known`);
        return;
      }
      const tail = word.slice(at + 1);
      const equals = style.shortEquals === true && tail.startsWith('=');
      const ends = equals || entry.takes !== 'none';
      take(entry, equals ? tail.slice(1) : ends && tail !== '' ? tail : undefined);
      if (ends) return;
    }
  };

  for (; index < words.length; index += 1) {
    const word = words[index] ?? '';
    if (word === '--') {
      const afterDashes = words.slice(index + 1);
      if (style.stopAtPositional === true)
        return { options, positionals, rest: afterDashes, afterDashes, doubts };
      return { options, positionals: [...positionals, ...afterDashes], afterDashes, rest: [], doubts };
    }
    if (!word.startsWith('-') || word === '-') {
      if (style.stopAtPositional === true) break;
      positionals.push(word);
    } else if (style.digits === true && /^-\d+$/.test(word)) {
      options.push({ name: '-<number>', value: word.slice(1) });
    } else if (word.startsWith('--') || style.singleDashLong === true) {
      const equals = word.indexOf('=');
      const entry = findLong(equals < 0 ? word : word.slice(0, equals), table, style);
      if (typeof entry === 'string') doubts.push(entry);
      else take(entry, equals < 0 ? undefined : word.slice(equals + 1));
    } else takeCluster(word);
  }
  return { options, positionals, rest: words.slice(index), doubts };
}

/** The entry of a long option, or the reason why it cannot be told. */
function findLong(given: string, table: OptionTable, style: ArgvStyle): OptionEntry | string {
  const dashed = style.singleDashLong === true ? given.replace(/^--/, '-') : given;
  const exact = table.get(dashed);
  if (exact !== undefined) return exact;
  if (style.negation === true && dashed.startsWith('--no-')) {
    const positive = findLong(`--${dashed.slice(5)}`, table, style);
    if (typeof positive !== 'string') return { name: `--no-${positive.name.slice(2)}`, takes: 'none' };
  }
  if (style.abbreviations === true && dashed.length > 2) {
    const meant = new Set<OptionEntry>();
    const names = new Set<string>();
    for (const [alias, entry] of table) {
      if (!alias.startsWith('--') || !alias.startsWith(dashed) || names.has(entry.name)) continue;
      names.add(entry.name);
      meant.add(entry);
    }
    const [only] = meant;
    if (meant.size === 1 && only !== undefined) return only;
    if (meant.size > 1)
      return `option \`${given}\` may mean ${[...names].map((name) => `\`${name}\``).join(' or ')}`;
  }
  return `option \`${given}\` is not known`;
}

export function hasOption(parsed: ParsedArgv, ...names: readonly string[]): boolean {
  return parsed.options.some((option) => names.includes(option.name));
}

/** Values of every use of an option, in order. */
export function optionValues(parsed: ParsedArgv, ...names: readonly string[]): readonly string[] {
  return parsed.options.flatMap(({ name, value }) =>
    names.includes(name) && value !== undefined ? [value] : [],
  );
}
