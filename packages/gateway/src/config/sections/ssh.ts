import { z } from 'zod';
import { COMMAND_NAMES } from './command-names.ts';

const SshSchema = z
  .strictObject({
    commands: z
      .array(z.enum(COMMAND_NAMES))
      .default([...COMMAND_NAMES])
      .describe('programs that agents may ask for at the SSH door; what each run may do, the policy says'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(3_600)
      .describe('longest run of one command; then everything that it started is killed'),
  })
  .describe('the SSH door');

/** Key of the top level. */
export const sshShape = { ssh: SshSchema.prefault({}) };
