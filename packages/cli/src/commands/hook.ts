import { spawn } from 'node:child_process';
import { HOOK_CLIENTS } from '@sallyport/protocol';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';

interface Flags {
  readonly home?: string;
  readonly wait?: string;
}

/** For people and scripts. Clients start the same file directly, because this whole program is slow to start. */
export function addHook(program: Command, context: CliContext): void {
  program
    .command('hook')
    .description("answer a client's hook: its JSON on standard input, the answer in the client's own form")
    .argument('<client>', HOOK_CLIENTS.join(', '))
    .option('--wait <seconds>', 'how long people may be asked', '0')
    .addHelpText(
      'after',
      `
Example:
  sallyport hook claude-code < event.json

Where event.json is what the client gives its hook:
  {"hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"ls"},"cwd":"/tmp"}

Exit codes: 0 with an answer; 2 without one, which clients take for a no. \`sallyport install\` sets it up.`,
    )
    .action(async (client: string, _flags: Flags, command: Command) => {
      const flags = command.optsWithGlobals<Flags>();
      const { homedir } = await import('node:os');
      const { configFolder, enrollmentFile } = await import('../install/enrollment.ts');
      const { HOOK_FILE } = await import('../hook/hook-place.ts');
      const folder = configFolder(context.env, context.env.HOME ?? homedir());
      const enrollment = enrollmentFile(folder, context.home(flags));
      const argv = [HOOK_FILE, client, '--enrollment', enrollment, '--wait', flags.wait ?? '0'];
      const child = spawn(process.execPath, argv, { stdio: 'inherit' });
      process.exitCode = await new Promise<number>((resolve) => {
        child.once('error', () => resolve(2));
        child.once('close', (code) => resolve(code ?? 2));
      });
    });
}
