import type { Command, CommanderError } from 'commander';
import type { Trouble } from './print-error.ts';

/** A command line that cannot be read, in the words of every other error; the help is that of the command itself. */
export function usageTrouble(error: CommanderError, program: Command, argv: readonly string[]): Trouble {
  const [first = '', ...rest] = error.message.split('\n');
  const command = commandOf(program, argv);
  const path = pathOf(command);
  const suggestion = rest
    .join(' ')
    .replace(/^\((.*)\)$/, '$1')
    .trim();
  return {
    what: quoted(first.replace(/^error: /, '')),
    why: suggestion === '' ? `usage: ${path} ${command.usage()}` : quoted(lowerFirst(suggestion)),
    try: `${path} --help`,
  };
}

/** The innermost command that the words name. */
function commandOf(program: Command, argv: readonly string[]): Command {
  let command = program;
  for (const word of argv) {
    if (word === '--') break;
    const next = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (next !== undefined) command = next;
  }
  return command;
}

function pathOf(command: Command): string {
  const names: string[] = [];
  for (let at: Command | null = command; at !== null; at = at.parent) names.unshift(at.name());
  return names.join(' ');
}

/** What people typed stands in backticks everywhere. */
function quoted(text: string): string {
  return text.replace(/\.$/, '').replace(/'([^']+)'/g, '`$1`');
}

function lowerFirst(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}
