import type { ParsedOption } from './argv-parser.ts';
import type { CliContext, CliIntent } from './cli-intent.ts';

/** Blanks, quotes and their like: a word with them is shown in quotes. */
const PLAIN = /^[\w@%+=:,./-]+$/;

/** A word as it stands in an operation: with quotes where it would be read as two. */
export function shownWord(word: string): string {
  return PLAIN.test(word) ? word : JSON.stringify(word);
}

/** Options that change what is seen, not what is done, in any of the programs that name their object by this. */
const DISPLAY: ReadonlySet<string> = new Set(
  `--help -help --output --query --template --no-headers --show-labels --show-managed-fields --allow-missing-template-keys --jq
  --json --quiet --verbosity --format --no-cli-pager --no-paginate --color --no-color -no-color -json --tail --since --limit --sort-by
  --timeout --yes --user-output-enabled --page-size --max-items -input -compact-warnings`.split(/\s+/),
);

/**
 * The same intent by what is done, where, and to what.
 *
 * SECURITY: an option that is not known to be for the eyes alone is part of the operation, with its value, so that a yes
 * covers no other context, namespace, profile, project, region or repository [GA-11].
 */
export function withObject(
  intent: CliIntent,
  options: readonly ParsedOption[],
  objects: readonly string[],
  texts: ReadonlySet<string> = NONE,
): CliIntent {
  const chosen = new Set<string>();
  for (const { name, value } of options)
    if (!DISPLAY.has(name) && !texts.has(name))
      chosen.add(value === undefined ? name : `${name}=${shownWord(value)}`);
  const operation = [intent.operation ?? '', ...[...chosen].sort()].join(' ').trim();
  return {
    ...intent,
    operation,
    ...(objects.length === 0 ? {} : { object: objects.map(shownWord).join(' ') }),
  };
}

const NONE: ReadonlySet<string> = new Set();

/** Words of a program whose options nobody lists: each option with all that stands behind it. */
export interface LooseWords {
  readonly positionals: readonly string[];
  readonly options: readonly ParsedOption[];
}

/**
 * Splits words without a table. Whichever of them are values, each is in one of the two lists, so what is made of both
 * names all of them.
 */
export function looseWords(words: readonly string[]): LooseWords {
  const positionals: string[] = [];
  const options: ParsedOption[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    if (word === '--') return { positionals: [...positionals, ...words.slice(at + 1)], options };
    if (!/^--?[A-Za-z]/.test(word)) {
      positionals.push(word);
      continue;
    }
    const [name = '', ...attached] = word.split('=');
    const values = attached.length > 0 ? [attached.join('=')] : [];
    while (
      attached.length === 0 &&
      values.length < 64 &&
      at + 1 < words.length &&
      !/^--?[A-Za-z]|^--$/.test(words[at + 1] ?? '')
    ) {
      at += 1;
      values.push(words[at] ?? '');
    }
    options.push(values.length === 0 ? { name } : { name, value: values.join(' ') });
  }
  return { positionals, options };
}

/** The repository that the remotes of the folder name, where all name the same. */
export function repositoryOfFolder({ cwd, repositoryAt }: CliContext): string | undefined {
  const view = repositoryAt?.(cwd);
  if (view?.kind !== 'known') return undefined;
  const found = new Set(view.repositories());
  const [only] = found;
  return found.size === 1 ? only : undefined;
}
