import { SallyportError } from '@sallyport/protocol';

export interface Option<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** What is wrong with what was typed; undefined: nothing. */
export type Check = (typed: string) => string | undefined;

/** How the wizard asks. Each way throws what `left` makes when the person leaves. */
export interface Asker {
  choose<Value extends string>(
    question: string,
    options: readonly Option<Value>[],
    standard: Value,
  ): Promise<Value>;
  pick(question: string, options: readonly Option[], standard: readonly string[]): Promise<readonly string[]>;
  text(question: string, check: Check): Promise<string>;
  /** typed without an echo */
  hidden(question: string, check: Check): Promise<string>;
  confirm(question: string, standard: boolean): Promise<boolean>;
  /** lines that stay as they are */
  show(title: string, lines: readonly string[]): void;
  say(line: string): void;
}

export function left(): SallyportError {
  return new SallyportError('BadRequest', {
    message: 'left before the end: nothing was changed',
    hint: 'run `sallyport setup` again whenever you like',
  });
}

/** For scripts: every question has its default, and whatever has none must be a flag. */
export function createDefaultsAsker(say: (line: string) => void): Asker {
  const missing = (question: string): never => {
    throw new SallyportError('BadRequest', {
      message: `nobody is asked with --yes, and there is no answer to: ${question}`,
      hint: 'give it as a flag: `--identity`, or `--set KEY=VALUE`; a secret as a reference: `--set token=env:NAME`',
    });
  };
  return {
    choose: async (_question, _options, standard) => standard,
    pick: async (_question, _options, standard) => standard,
    confirm: async (_question, standard) => standard,
    text: async (question) => missing(question),
    hidden: async (question) => missing(question),
    show(title, lines) {
      say(title);
      for (const line of lines) say(`  ${line}`);
    },
    say,
  };
}
