import type { Unwrapped } from './unwrapped.ts';
import type { Word } from './words/word.ts';

/** Letters that a shell may have beside `c`: login, exit on error, no unset variables, trace. */
const FLAGS = /^-[leux]*$/;
const FLAGS_WITH_C = /^-[leux]*c[leux]*$/;

/**
 * `sh -c 'text'` and its like. Without `-c` and without a script file the shell runs its input, which is not in the
 * line; with a script file it is a plain command.
 */
export function unwrapShell(program: string, args: readonly Word[]): Unwrapped {
  let at = 0;
  for (; at < args.length; at += 1) {
    const arg = args[at];
    if (arg === undefined || !arg.literal)
      return { kind: 'unknown', reason: `\`${program}\` has an argument that is not known` };
    if (FLAGS_WITH_C.test(arg.text)) return scriptAfter(program, args, at + 1);
    if (arg.text === '--norc' || arg.text === '--noprofile' || arg.text === '--posix') continue;
    if (arg.text === '-' || !FLAGS.test(arg.text)) break;
  }
  const file = args[at];
  if (file === undefined || file.text === '-' || file.text === '--')
    return { kind: 'unknown', reason: `\`${program}\` runs its input` };
  if (file.text === '--version' || file.text === '--help') return { kind: 'plain' };
  if (file.text.startsWith('-') || file.text.startsWith('+'))
    return { kind: 'unknown', reason: `\`${program}\` has an option that is not known` };
  if (/^\/(?:dev|proc)\//.test(file.text))
    return { kind: 'unknown', reason: `\`${program}\` runs its input` };
  return { kind: 'plain' };
}

function scriptAfter(program: string, args: readonly Word[], at: number): Unwrapped {
  // More flags may stand between `-c` and the text: `bash -c -l text`.
  let next = at;
  while (next < args.length && FLAGS.test(args[next]?.text ?? '')) next += 1;
  const script = args[next];
  if (script === undefined) return { kind: 'unknown', reason: `\`${program} -c\` is given no text` };
  if (!script.literal || script.tilde)
    return { kind: 'unknown', reason: `\`${program} -c\` runs text that is not in the line` };
  if (/^[-+]/.test(script.text))
    return { kind: 'unknown', reason: `\`${program}\` has an option that is not known` };
  return { kind: 'script', text: script.text, same: false };
}
