import type { Readable, Writable } from 'node:stream';
import * as clack from '@clack/prompts';
import { type Asker, left, type Option } from './asker.ts';

/** Questions on a terminal that can move its cursor. */
export function createClackAsker(input: Readable, output: Writable, signal: AbortSignal): Asker {
  const common = { input, output, signal };
  const answered = <Value>(answer: Value): Exclude<Value, symbol> => {
    if (typeof answer === 'symbol') throw left(); // what the library gives for Ctrl-C
    return answer as Exclude<Value, symbol>; // checked above
  };
  // `as`: the library's type of an option depends on the type of its value, and texts are the simple case
  const options = (all: readonly Option[]) => [...all] as clack.Option<string>[];
  return {
    async choose<Value extends string>(question: string, all: readonly Option<Value>[], standard: Value) {
      const answer = await clack.select<string>({
        ...common,
        message: question,
        options: options(all),
        initialValue: standard,
      });
      return answered(answer) as Value; // one of the options
    },
    async pick(question, all, standard) {
      return answered(
        await clack.multiselect<string>({
          ...common,
          message: question,
          options: options(all),
          initialValues: [...standard],
          required: false,
        }),
      );
    },
    async text(question, check) {
      const validate = (typed: string | undefined): string | undefined => check((typed ?? '').trim());
      return answered(await clack.text({ ...common, message: question, validate })).trim();
    },
    async hidden(question, check) {
      const validate = (typed: string | undefined): string | undefined => check((typed ?? '').trim());
      return answered(
        await clack.password({ ...common, message: question, validate, clearOnError: true }),
      ).trim();
    },
    async confirm(question, standard) {
      return answered(await clack.confirm({ ...common, message: question, initialValue: standard }));
    },
    show(title, lines) {
      clack.log.step(title, { output });
      // As they are: a frame around a diff would make it hard to read, and harder to copy.
      for (const line of lines) output.write(`${line}\n`);
    },
    say: (line) => clack.log.message(line, { output }),
  };
}
