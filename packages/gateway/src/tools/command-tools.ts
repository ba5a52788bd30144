import { z } from 'zod';
import type { ToolDefinition } from './tool-definition.ts';

const ABSOLUTE = /^\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\0]*$/;
const WORD = /^[^\0]*$/;

/**
 * SECURITY: no variables. `RUSTC_WRAPPER`, `NODE_OPTIONS` and their like decide what a permitted command runs, and
 * people who allowed `cargo build` did not allow that.
 */
export const CommandSchema = z.strictObject({
  command: z.string().min(1).max(4_096).regex(WORD).describe('the program: a name or an absolute path'),
  args: z.array(z.string().max(131_072).regex(WORD)).max(4_096).default([]).describe('no shell reads them'),
  cwd: z.string().max(4_096).regex(ABSOLUTE).optional().describe('absolute, without `.` and `..`'),
  timeout_secs: z.int().min(1).max(600).default(120).describe('after this everything it started is killed'),
});

/** Commands in the agent's sandbox, carried out by `executors/dispatch`. */
export const COMMAND_TOOLS = {
  'cmd.run': {
    category: 'terminal',
    pattern: 'command',
    by: 'dispatch',
    docs: "runs one program in the agent's sandbox, without a shell",
    call: {
      type: 'custom:cli',
      effect: 'write',
      reach: 'remote',
      target: { kind: 'argv', command: 'command', args: 'args' },
    },
    schema: {
      title: 'Run a command',
      description:
        "Runs one program with its arguments in the agent's sandbox, without a shell, and gives back its exit code and output.",
      input: CommandSchema,
      destructive: true,
      idempotent: false,
    },
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;
