import type { Word } from './words/word.ts';

/** Operands: words that are no option. Everything after `--` is one. */
export function fileOperands(args: readonly Word[]): readonly Word[] {
  const end = args.findIndex((arg) => arg.text === '--');
  const before = end < 0 ? args : args.slice(0, end);
  const options = before.filter((arg) => !arg.text.startsWith('-') || arg.text === '-');
  return [...options, ...(end < 0 ? [] : args.slice(end + 1))].filter((arg) => arg.text !== '-');
}

/** Values of an output option: `-o FILE`, `-oFILE`, `-roFILE`, `--output FILE`, `--output=FILE` and abbreviations. */
export function outputOption(short: string, long: string): (args: readonly Word[]) => readonly Word[] {
  return (args) => {
    const found: Word[] = [];
    for (const [index, arg] of args.entries()) {
      const next = args[index + 1];
      const { text } = arg;
      if (text.startsWith('--')) {
        const [name = '', value] = splitOnce(text.slice(2), '=');
        if (name === '' || !long.startsWith(name)) continue;
        if (value !== undefined) found.push({ ...arg, text: value });
        else if (next !== undefined) found.push(next);
      } else if (text.startsWith('-') && text.includes(short)) {
        const value = text.slice(text.indexOf(short) + 1);
        if (value !== '') found.push({ ...arg, text: value });
        else if (next !== undefined) found.push(next);
      }
    }
    return found;
  };
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

// Only scripts of this shape: an address, then `p d q =`, or `s` with the flags `g p i I` and digits. `e` runs a
// program, `w` and `r` open files, and GNU sed takes both as flags of `s` too.
const SED_ADDRESS = String.raw`(?:(?:[0-9]+|\$|/[^/\\;]*/)(?:,(?:[0-9]+|\$|/[^/\\;]*/))?)?`;
const SED_SUBSTITUTE = String.raw`s([/|#,:@])(?:(?!\2)[^\\\n]|\\[^\n])*\2(?:(?!\2)[^\\\n]|\\[^\n])*\2[gpiI0-9]*`;
const SED_COMMAND = new RegExp(`^${SED_ADDRESS}(?:[pdq=]|(${SED_SUBSTITUTE}))$`);

/** Why a `sed` call is more than reading: in place, a script from a file, or a script of another shape. */
export function sedReason(args: readonly Word[]): string | undefined {
  const scripts: string[] = [];
  let operands = 0;
  for (let i = 0; i < args.length; i += 1) {
    const text = args[i]?.text ?? '';
    if (/^-[nErsuz]+$/.test(text) || text === '--posix') continue;
    if (text === '-e') {
      i += 1;
      scripts.push(args[i]?.text ?? '');
    } else if (text.startsWith('-')) {
      return 'sed has an option that is not known to be harmless';
    } else {
      if (operands === 0 && scripts.length === 0) scripts.push(text);
      operands += 1;
    }
  }
  return scripts.every(isHarmlessSed) ? undefined : 'a sed script can run programs and write files';
}

function isHarmlessSed(script: string): boolean {
  return (
    script.length <= 500 &&
    (SED_COMMAND.test(script) || script.split(';').every((part) => SED_COMMAND.test(part.trim())))
  );
}

/** Why an `awk` program is more than reading. */
export function awkReason(args: readonly Word[]): string | undefined {
  let program: string | undefined;
  for (let i = 0; i < args.length; i += 1) {
    const text = args[i]?.text ?? '';
    if (program !== undefined) break;
    if (/^-F.+$/.test(text)) continue;
    if (text === '-F' || text === '-v') i += 1;
    else if (text.startsWith('-')) return 'awk has an option that is not known to be harmless';
    else program = text;
  }
  return program === undefined || /system|getline|[|>@&]|printf?\s*>|close|fflush|load|include/.test(program)
    ? 'an awk program can run programs and write files'
    : undefined;
}

const TAR_SAFE =
  /^(?:--(?:create|extract|list|get|gzip|bzip2|xz|zstd|verbose|file=[^:]*|directory=.*|exclude=.*|strip-components=\d+|no-same-owner)|-?[cxtzjJvfCpk]+)$/;

/** Why a `tar` call is more than packing: tar runs programs by many options and opens archives on other hosts. */
export function tarReason(args: readonly Word[]): string | undefined {
  for (const [index, { text }] of args.entries()) {
    if (index === 0 || text.startsWith('-')) {
      if (!TAR_SAFE.test(text)) return 'tar has an option that is not known to be harmless';
    } else if (text.includes(':')) return 'tar opens an archive on another host';
  }
  return undefined;
}
