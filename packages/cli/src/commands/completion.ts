import { Argument, type Command } from 'commander';
import type { CliContext } from '../context.ts';

export function addCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(sallyport completion bash)')
    .action((shell: Shell) => void context.streams.stdout.write(completionScript(program, shell)));
}

export const SHELLS = ['bash', 'zsh', 'fish'] as const;
export type Shell = (typeof SHELLS)[number];

/** Words that may follow a chain of commands: `"audit" → ["tail", "show", …, "--json"]`. */
export function completionTable(program: Command): ReadonlyMap<string, readonly string[]> {
  const table = new Map<string, readonly string[]>();
  const visit = (command: Command, chain: readonly string[]): void => {
    const words = command.commands.filter((child) => child.name() !== 'help').map((child) => child.name());
    const flags = command.options
      .map((option) => option.long ?? option.short ?? '')
      .filter((flag) => flag !== '');
    table.set(chain.join(' '), [...words, ...flags, '--help']);
    for (const child of command.commands) visit(child, [...chain, child.name()]);
  };
  visit(program, []);
  return table;
}

/** A script that the shell sources. It holds the whole table: completing never starts a process. */
export function completionScript(program: Command, shell: Shell): string {
  const table = completionTable(program);
  const cases = [...table].map(([chain, words]) => ({ chain, words: words.join(' ') }));
  if (shell === 'fish') {
    const lines = cases.map(({ chain, words }) => {
      const condition =
        chain === ''
          ? '__fish_use_subcommand'
          : chain
              .split(' ')
              .map((word) => `__fish_seen_subcommand_from ${word}`)
              .join('; and ');
      return `complete -c sallyport -f -n '${condition}' -a '${words}'`;
    });
    return `${lines.join('\n')}\n`;
  }
  const body = cases.map(({ chain, words }) => `    '${chain}') words='${words}' ;;`).join('\n');
  const bash = `_sallyport() {
  local chain='' word words='' i
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=\${COMP_WORDS[i]}
    [[ $word == -* ]] && continue
    chain="\${chain:+$chain }$word"
  done
  case "$chain" in
${body}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _sallyport sallyport
`;
  return shell === 'bash' ? bash : `autoload -U +X bashcompinit && bashcompinit\n${bash}`;
}
