import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import { FILE_TOOLS, type FileTool } from '../../tools/index.ts';
import type { ToolListing } from '../tools/tool-path.ts';

/** A tool with an input that fits it. */
export type FileJob = {
  readonly [Tool in FileTool]: {
    readonly tool: Tool;
    readonly input: z.infer<(typeof FILE_TOOLS)[Tool]['schema']['input']>;
  };
}[FileTool];

/** Throws `BadRequest`, with the argument that is wrong. The gate has judged the input by then. */
export function parseFileJob(tool: FileTool, input: JsonObject): FileJob {
  const parsed = FILE_TOOLS[tool].schema.input.safeParse(input);
  // The schema of a tool gives the input of that tool; the compiler sees only the union of both.
  if (parsed.success) return { tool, input: parsed.data } as FileJob;
  const [issue] = parsed.error.issues;
  const where = issue?.path.join('.') ?? '';
  throw new SallyportError('BadRequest', {
    message: `the input of \`${tool}\` is not valid${where === '' ? '' : ` at \`${where}\``}`,
    hint: issue?.message ?? 'see the schema of the tool',
  });
}

export function isFileTool(tool: string): tool is FileTool {
  return Object.hasOwn(FILE_TOOLS, tool);
}

/** The tools as clients list them. */
export const FILE_LISTINGS: readonly ToolListing[] = Object.keys(FILE_TOOLS)
  .filter(isFileTool)
  .map((tool) => {
    const { schema, call } = FILE_TOOLS[tool];
    return {
      tool,
      title: schema.title,
      description: schema.description,
      inputSchema: schemaOf(schema.input, 'input'),
      outputSchema: schemaOf(schema.output, 'output'),
      annotations: {
        readOnlyHint: call.target.access === 'read',
        destructiveHint: schema.destructive,
        idempotentHint: schema.idempotent,
        openWorldHint: false,
      },
    };
  });

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  // A JSON schema is JSON: the library's type only knows it as an object of unknown members.
  return rest as JsonObject;
}
