import { z } from 'zod';
import { durationSchema } from './duration.ts';

const McpSchema = z
  .strictObject({
    wait: durationSchema
      .default('50s')
      .describe(
        'how long a call waits for people before a client that asks for no progress is answered with an `approval_id`',
      ),
    oauth: z
      .boolean()
      .default(true)
      .describe(
        'whether a client that knows the address alone may ask for a session (OAuth); a person says yes or no each time',
      ),
  })
  .describe('the MCP door');

/** Key of the top level. */
export const mcpShape = { mcp: McpSchema.prefault({}) };
