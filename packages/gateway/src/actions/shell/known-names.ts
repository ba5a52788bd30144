import { builtinReason, changesMeaning, isReservedWord } from './builtins.ts';
import { localProgram } from './programs.ts';
import { WRAPPER_NAMES } from './unwrap.ts';

const NO_NUMBERS: ReadonlySet<string> = new Set();

/** Whether a name already means something to a shell or to this reader, so that no function may take it. */
export function isBuiltInName(name: string): boolean {
  return (
    isReservedWord(name) ||
    changesMeaning(name) ||
    WRAPPER_NAMES.has(name) ||
    localProgram(name) !== undefined ||
    builtinReason(name, [], NO_NUMBERS) !== undefined
  );
}
