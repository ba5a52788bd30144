import { createInterface } from 'node:readline/promises';
import type { Readable, Writable } from 'node:stream';
import { type Asker, left, type Option } from './asker.ts';

/** Questions line by line, for a terminal that only prints (`TERM=dumb`). */
export function createPlainAsker(
  input: Readable,
  output: Writable,
  signal: AbortSignal,
  readHidden: (question: string) => Promise<string>,
): Asker {
  const say = (line: string): void => void output.write(`${line}\n`);
  const line = async (question: string): Promise<string> => {
    const asking = createInterface({ input, output });
    try {
      const closed = new Promise<never>((_resolve, reject) => asking.once('close', () => reject(left())));
      return (await Promise.race([asking.question(question, { signal }), closed])).trim();
    } catch {
      throw left();
    } finally {
      asking.close();
    }
  };
  const list = (question: string, options: readonly Option[]): void => {
    say(question);
    for (const [at, { label, hint }] of options.entries())
      say(`  ${at + 1}  ${label}${hint === undefined ? '' : ` (${hint})`}`);
  };
  /** Undefined: not a number of the list. */
  const numbered = (text: string, options: readonly Option[]): string | undefined =>
    /^\d{1,3}$/.test(text) ? options[Number(text) - 1]?.value : undefined;
  return {
    async choose(question, options, standard) {
      list(question, options);
      const usual = options.findIndex(({ value }) => value === standard) + 1;
      for (;;) {
        const typed = await line(`number [${usual}]: `);
        const chosen = typed === '' ? standard : numbered(typed, options);
        const found = options.find(({ value }) => value === chosen);
        if (found !== undefined) return found.value;
        say('not a number of the list');
      }
    },
    async pick(question, options, standard) {
      list(question, options);
      const usual = standard.map((value) => options.findIndex((option) => option.value === value) + 1);
      for (;;) {
        const typed = await line(`numbers, or - for none [${usual.join(' ') || '-'}]: `);
        if (typed === '') return standard;
        if (typed === '-') return [];
        const chosen = typed.split(/[\s,]+/).map((text) => numbered(text, options));
        if (chosen.every((value) => value !== undefined)) return chosen;
        say('not numbers of the list');
      }
    },
    async text(question, check) {
      for (;;) {
        const typed = await line(`${question}: `);
        const problem = check(typed);
        if (problem === undefined) return typed;
        say(problem);
      }
    },
    async hidden(question, check) {
      for (;;) {
        const typed = (await readHidden(question)).trim();
        const problem = check(typed);
        if (problem === undefined) return typed;
        say(problem);
      }
    },
    async confirm(question, standard) {
      const typed = (await line(`${question} [${standard ? 'Y/n' : 'y/N'}] `)).toLowerCase();
      return typed === '' ? standard : typed.startsWith('y');
    },
    show(title, lines) {
      say(title);
      for (const text of lines) say(`  ${text}`);
    },
    say,
  };
}
