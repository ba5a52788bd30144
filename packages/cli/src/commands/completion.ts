import { Argument, type Command } from 'commander';
import { completionScript, SHELLS, type Shell } from '../completion.ts';
import type { CliContext } from '../context.ts';

export function addCompletion(program: Command, context: CliContext): void {
  program
    .command('completion')
    .description('print a completion script for your shell')
    .addArgument(new Argument('<shell>').choices(SHELLS))
    .addHelpText('after', '\nExample:\n  source <(sallyport completion bash)')
    .action((shell: Shell) => void context.streams.stdout.write(completionScript(program, shell)));
}
