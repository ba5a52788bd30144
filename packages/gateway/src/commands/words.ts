/** Words of one command are looked at one by one, also those that may be values: rather one question too many. */

/** Whether an option stands there, by its full name, as `--name`, `--name=value`, or for one letter in any cluster. */
export function hasWord(argv: readonly string[], ...names: readonly string[]): boolean {
  return argv.slice(1).some((word) => names.some((name) => isOption(word, name)));
}

function isOption(word: string, name: string): boolean {
  if (name.startsWith('--')) return word === name || word.startsWith(`${name}=`);
  return word === name || (/^-[A-Za-z]+/.test(word) && word.startsWith(name));
}

/** Whether a long option stands there, or a beginning of it, as argparse takes it. `least`: shortest that counts. */
export function hasPrefix(argv: readonly string[], name: string, least: number): boolean {
  return argv.slice(1).some((word) => {
    const [given = ''] = word.split('=', 1);
    return given.length >= least && given.startsWith('--') && name.startsWith(given);
  });
}

/** What stands behind an option, attached or as the next word, each time that it is there. */
export function valuesOf(argv: readonly string[], ...names: readonly string[]): readonly string[] {
  return argv.flatMap((word, at) => {
    if (at === 0) return [];
    for (const name of names) {
      if (word === name) return argv[at + 1] === undefined ? [] : [argv[at + 1] ?? ''];
      if (word.startsWith(`${name}=`)) return [word.slice(name.length + 1)];
      if (!name.startsWith('--') && word.startsWith(name)) return [word.slice(name.length)];
    }
    return [];
  });
}

/** Words that are no option, the program left out: the verb first, mixed with values of options. */
export function plainWords(argv: readonly string[]): readonly string[] {
  return argv.slice(1).filter((word) => !word.startsWith('-'));
}

/** Without what stands for the standard streams. */
export function realFiles(files: readonly string[]): readonly string[] {
  const streams = new Set(['', '-', '/dev/null', '/dev/stdin', '/dev/stdout', '/dev/stderr']);
  return [...new Set(files.filter((file) => !streams.has(file)))];
}
