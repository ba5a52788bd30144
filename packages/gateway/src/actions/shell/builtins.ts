import { testReason } from './test-operands.ts';
import { isHarmlessVariable, isLocalVariable } from './variable-names.ts';
import type { Word } from './words/word.ts';

/** Builtins after which words mean something else, or that run what nobody sees. */
const MEANING_CHANGERS: ReadonlySet<string> = new Set(
  `trap source . alias unalias enable set shopt bind fc history complete compgen compopt coproc mapfile readarray
  getopts emulate setopt unsetopt zmodload autoload functions zle zparseopts vared sched noglob nocorrect
  disable rehash unhash unfunction -`.split(/\s+/),
);

/** Words that a shell never runs as a program. The grammar sometimes does. */
const RESERVED: ReadonlySet<string> = new Set(
  `if then else elif fi do done case esac in for while until select function { } ! [[ ]] repeat foreach end
  time coproc`.split(/\s+/),
);

const DECLARERS: ReadonlySet<string> = new Set(['export', 'declare', 'typeset', 'local', 'readonly']);
const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)(?:\+?=|$)/;

/** Whether the line as a whole, not only this command, becomes unknown. */
export function changesMeaning(program: string): boolean {
  return MEANING_CHANGERS.has(program) || program === 'hash';
}

export function isReservedWord(text: string): boolean {
  return RESERVED.has(text);
}

/** Why a builtin cannot be known with these arguments. */
export function builtinReason(
  program: string,
  args: readonly Word[],
  numbers: ReadonlySet<string>,
): string | undefined {
  if (MEANING_CHANGERS.has(program)) return `\`${program}\` changes what the shell does`;
  if (program === 'parallel') return '`parallel` runs commands that are not in the line';
  if (program === 'hash') return args.length > 0 ? '`hash` can change which program runs' : undefined;
  if (program === 'let') return '`let` evaluates its arguments';
  if (DECLARERS.has(program)) return declarationReason(program, args);
  if (program === 'unset') return unsetReason(args);
  if (program === 'read') return readReason(args);
  if (program === 'test' || program === '[') return testReason(args, numbers);
  if (program === 'printf') return printfReason(args);
  return undefined;
}

function declarationReason(program: string, args: readonly Word[]): string | undefined {
  let exported = program === 'export';
  for (const { text } of args) {
    if (/^-[a-zA-Z]+$/.test(text)) {
      if (!/^-[xragAp]+$/.test(text)) return `\`${program} ${text}\` can change what words mean`;
      exported ||= text.includes('x');
      continue;
    }
    const name = ASSIGNMENT.exec(text)?.[1];
    const harmless = name !== undefined && (exported ? isHarmlessVariable(name) : isLocalVariable(name));
    if (!harmless) return `\`${program}\` sets a variable that is not known to be harmless`;
  }
  return undefined;
}

// `printf -v NAME` evaluates the subscript of the name; a first word that is not known may be `-v`.
function printfReason([first]: readonly Word[]): string | undefined {
  if (first === undefined || (first.literal ? !first.text.startsWith('-v') : first.prefix !== ''))
    return undefined;
  return '`printf` may set a variable';
}

function unsetReason(args: readonly Word[]): string | undefined {
  const known = args.every(({ text, literal }) => literal && (text === '-v' || isLocalVariable(text)));
  return known ? undefined : '`unset` removes something that is not known to be harmless';
}

function readReason(args: readonly Word[]): string | undefined {
  for (let i = 0; i < args.length; i += 1) {
    const { text, literal } = args[i] ?? { text: '', literal: false };
    if (/^-[rs]+$/.test(text)) continue;
    if (text === '-p' || text === '-d' || text === '-n' || text === '-t') i += 1;
    else if (!literal || !isLocalVariable(text))
      return '`read` sets a variable that is not known to be harmless';
  }
  return undefined;
}
