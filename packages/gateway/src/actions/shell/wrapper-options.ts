import { literalWord, type Word } from './words/word.ts';

/** How one wrapper's own options are told from the command that it starts. */
export interface WrapperOptions {
  readonly flags: readonly string[];
  /** options with a value, and what the value must look like */
  readonly values: Readonly<Record<string, RegExp>>;
  /** `NAME=value` words before the command */
  readonly assignments?: boolean;
  /** one operand before the command, for instance a duration */
  readonly operand?: RegExp;
  /** `-10` is a number */
  readonly shortNumber?: boolean;
  readonly needsCommand?: boolean;
  /** options that change the working folder */
  readonly moves?: RegExp;
}

export interface SkippedOptions {
  readonly words: readonly Word[];
  readonly variables: readonly string[];
  readonly options: ReadonlyMap<string, string>;
  /** the folder that the command is started in */
  readonly folder: Word | undefined;
}

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/** The words from the command on, or a sentence that says why they cannot be found. */
export function skipOptions(
  program: string,
  args: readonly Word[],
  known: WrapperOptions,
): SkippedOptions | string {
  const options = new Map<string, string>();
  const variables: string[] = [];
  let folder: Word | undefined;
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined) break;
    if (!arg.literal) {
      if (arg.prefix === '' || arg.prefix.startsWith('-') || arg.splits)
        return `\`${program}\` has an argument that is not known`;
      break;
    }
    const { text } = arg;
    if (text === '--') {
      at += 1;
      break;
    }
    if (!text.startsWith('-')) break;
    if (known.flags.includes(text) || (known.shortNumber === true && /^-\d+$/.test(text))) continue;
    const option = readOption(text, args[at + 1], known);
    if (option === undefined) return `\`${program}\` has an option that is not known`;
    const next = option.took === 2 ? args[at + 1] : undefined;
    if (known.moves?.test(option.name) === true) folder = next ?? literalWord(option.value, arg.start);
    options.set(option.name, option.value);
    if (option.took === 2) at += 1;
  }
  if (known.assignments === true) {
    for (; at < args.length; at += 1) {
      const name = ASSIGNMENT.exec(args[at]?.prefix ?? '')?.[1];
      if (name === undefined) break;
      variables.push(name);
    }
  }
  if (known.operand !== undefined) {
    const operand = args[at];
    if (operand === undefined || !operand.literal || !known.operand.test(operand.text))
      return `\`${program}\` has an argument that is not known`;
    at += 1;
  }
  return { words: args.slice(at), variables, options, folder };
}

function readOption(
  text: string,
  next: Word | undefined,
  known: WrapperOptions,
): { name: string; value: string; took: 1 | 2 } | undefined {
  const exact = known.values[text];
  if (exact !== undefined) {
    return next?.literal === true && exact.test(next.text)
      ? { name: text, value: next.text, took: 2 }
      : undefined;
  }
  const equals = text.indexOf('=');
  const name = text.startsWith('--') ? text.slice(0, equals < 0 ? text.length : equals) : text.slice(0, 2);
  const value = text.startsWith('--') ? text.slice(equals + 1) : text.slice(2);
  const pattern = equals < 0 && text.startsWith('--') ? undefined : known.values[name];
  return pattern?.test(value) === true ? { name, value, took: 1 } : undefined;
}
