import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import type { ToolListing } from '../tools/tool-path.ts';

export const COMMAND_TOOL = 'cmd.run';

const ABSOLUTE = /^\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))[^\0]*$/;
const WORD = /^[^\0]*$/;

/**
 * SECURITY: no variables. `RUSTC_WRAPPER`, `NODE_OPTIONS` and their like decide what a permitted command runs, and
 * people who allowed `cargo build` did not allow that.
 */
const CommandSchema = z.strictObject({
  command: z.string().min(1).max(4_096).regex(WORD).describe('the program: a name or an absolute path'),
  args: z.array(z.string().max(131_072).regex(WORD)).max(4_096).default([]).describe('no shell reads them'),
  cwd: z.string().max(4_096).regex(ABSOLUTE).optional().describe('absolute, without `.` and `..`'),
  timeout_secs: z.int().min(1).max(600).default(120).describe('after this everything it started is killed'),
});

/** A command as it was admitted. */
export type Command = z.infer<typeof CommandSchema>;

/** Reads the input of `cmd.run`. Throws `BadRequest` with the place of the first problem. */
export function parseCommand(input: JsonObject): Command {
  const parsed = CommandSchema.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new SallyportError('BadRequest', {
    message: `\`${COMMAND_TOOL}\` cannot take this input: ${issue?.path.join('.') || 'input'}: ${issue?.message ?? ''}`,
    hint: 'send `command`, and if needed `args`, `cwd` and `timeout_secs`',
  });
}

export const COMMAND_LISTING: ToolListing = {
  tool: COMMAND_TOOL,
  title: 'Run a command',
  description:
    "Runs one program with its arguments in the agent's sandbox, without a shell, and gives back its exit code and output.",
  // `as`: what zod writes is JSON; its own type says less.
  inputSchema: z.toJSONSchema(CommandSchema, { io: 'input' }) as unknown as JsonObject,
  annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
};
