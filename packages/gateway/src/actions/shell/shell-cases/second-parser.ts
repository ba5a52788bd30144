import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { getProcessor } from 'sh-syntax';

interface WasmApi {
  readonly Module: new (bytes: Uint8Array) => object;
  readonly instantiate: (module: object, imports: object) => Promise<{ exports: object }>;
}
// The compiler's library for this repo has no types for it, though Node has it: the cast names the two parts used.
const { WebAssembly: wasm } = globalThis as unknown as { readonly WebAssembly: WasmApi };
// Compiled once: the package itself compiles again for each line.
const compiled = new wasm.Module(readFileSync(fileURLToPath(import.meta.resolve('sh-syntax/main.wasm'))));
const run = getProcessor(async (imports: object) => wasm.instantiate(compiled, imports));

/** The line as the second parser prints it; `undefined` when it refuses the line. */
export async function reprint(line: string): Promise<string | undefined> {
  try {
    return await run(line, { print: true });
  } catch {
    return undefined;
  }
}

// The second parser gives no tree below the outermost statements, so it is asked by experiment: an array assignment
// whose subscript it reformats where a command may begin, and prints as it stands everywhere else.
const mark = (index: number): string => `a[1+${index}]=3; `;
const WORD_START = /(?<=^|[\s;|&({`!])(?<!\$\{)(?:\\.|[^\s;|&()<>#}\\])/g;
// Reserved words, and a redirection: what follows it is looked at by itself.
const NOT_A_COMMAND =
  /^(?:if|then|elif|else|fi|do|done|case|esac|in|for|while|until|select|function|[{}!]|\[\[|\]\]|time|coproc)(?=[\s;|&()]|$)|^\d*[<>]/;

/** Offsets at which the second parser sees a command begin; `undefined` when it refuses the line. */
export async function commandStarts(line: string): Promise<readonly number[] | undefined> {
  if ((await reprint(line)) === undefined) return undefined;
  const offsets = [...line.matchAll(WORD_START)]
    .map((match) => match.index)
    .filter((at) => !NOT_A_COMMAND.test(line.slice(at)));
  const together = await markedCommands(line, offsets);
  if (together !== undefined) return together;
  const found: number[] = [];
  for (const offset of offsets) found.push(...((await markedCommands(line, [offset])) ?? []));
  return found;
}

async function markedCommands(
  line: string,
  offsets: readonly number[],
): Promise<readonly number[] | undefined> {
  let marked = '';
  let from = 0;
  for (const [index, offset] of offsets.entries()) {
    marked += line.slice(from, offset) + mark(index + 10);
    from = offset;
  }
  const printed = await reprint(marked + line.slice(from));
  return printed === undefined
    ? undefined
    : offsets.filter((_, index) => printed.includes(`a[1 + ${index + 10}]=3`));
}

/** Whether a reserved word at the offset changes the sense of the line, as it does only where a command begins. */
export async function beginsCommand(line: string, offset: number): Promise<boolean> {
  const withWord = (word: string): string => `${line.slice(0, offset)}${word} ${line.slice(offset)}`;
  return (await reprint(withWord('if'))) === undefined && (await reprint(withWord('zz'))) !== undefined;
}
