import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import { CommandSchema, TOOLS } from '../../tools/index.ts';
import type { ToolListing } from '../tools/tool-path.ts';

export const COMMAND_TOOL = 'cmd.run';

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

const { title, description, destructive } = TOOLS[COMMAND_TOOL].schema;

export const COMMAND_LISTING: ToolListing = {
  ...{ tool: COMMAND_TOOL, title, description },
  // `as`: what zod writes is JSON; its own type says less.
  inputSchema: z.toJSONSchema(CommandSchema, { io: 'input' }) as unknown as JsonObject,
  annotations: { readOnlyHint: false, destructiveHint: destructive, openWorldHint: true },
};
