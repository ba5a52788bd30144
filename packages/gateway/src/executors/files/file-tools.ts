import { type JsonObject, type PathFact, SallyportError } from '@sallyport/protocol';
import { z } from 'zod';
import type { ToolListing } from '../tools/tool-path.ts';

/** Bytes that one call may read or write, and entries that it may list: what a model can be handed at once. */
export const READ_BYTES = 1024 * 1024;
export const WRITE_BYTES = 16 * 1024 * 1024;
export const LISTED_ENTRIES = 1000;

const path = z.string().min(1).describe('absolute path, for example `/workspace/notes.md`; no `.` or `..`');
const encoding = z
  .enum(['utf8', 'base64'])
  .default('utf8')
  .describe('`base64` for files that are not UTF-8 text');
const content = z.string().describe('what the file is to hold, all of it');

/** Inputs, checked when a call arrives. The gate has judged them by then; unknown arguments are refused. */
const FILE_INPUTS = {
  'fs.read': z.strictObject({
    path,
    encoding,
    offset: z.int().min(0).default(0).describe('first byte to read'),
    length: z.int().min(1).max(READ_BYTES).default(READ_BYTES).describe('bytes to read at most'),
  }),
  'fs.write': z.strictObject({ path, content, encoding }),
  'fs.create': z.strictObject({
    path,
    kind: z.enum(['file', 'folder']).default('file').describe('a folder is made with the folders above it'),
    content: content.default('').describe('what a new file is to hold'),
    encoding,
  }),
  'fs.delete': z.strictObject({ path }),
  'fs.list': z.strictObject({
    path,
    after: z.string().default('').describe('list names after this one: `next` of the page before'),
    limit: z.int().min(1).max(LISTED_ENTRIES).default(LISTED_ENTRIES).describe('entries at most'),
  }),
} as const;

export type FileTool = keyof typeof FILE_INPUTS;

const JobSchema = z.discriminatedUnion('tool', [
  z.strictObject({ tool: z.literal('fs.read'), input: FILE_INPUTS['fs.read'] }),
  z.strictObject({ tool: z.literal('fs.write'), input: FILE_INPUTS['fs.write'] }),
  z.strictObject({ tool: z.literal('fs.create'), input: FILE_INPUTS['fs.create'] }),
  z.strictObject({ tool: z.literal('fs.delete'), input: FILE_INPUTS['fs.delete'] }),
  z.strictObject({ tool: z.literal('fs.list'), input: FILE_INPUTS['fs.list'] }),
]);

/** A tool with an input that fits it. */
export type FileJob = z.infer<typeof JobSchema>;

/** Throws `BadRequest`, with the argument that is wrong. */
export function parseFileJob(tool: FileTool, input: JsonObject): FileJob {
  const parsed = JobSchema.safeParse({ tool, input });
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const where = issue?.path.slice(1).join('.') ?? '';
  throw new SallyportError('BadRequest', {
    message: `the input of \`${tool}\` is not valid${where === '' ? '' : ` at \`${where}\``}`,
    hint: issue?.message ?? 'see the schema of the tool',
  });
}

const success = z.literal(true);
const OUTPUTS = {
  'fs.read': z.strictObject({
    success,
    content: z.string(),
    encoding: z.enum(['utf8', 'base64']),
    bytes_read: z.int().min(0),
    size: z.int().min(0).describe('bytes of the whole file'),
    next_offset: z.int().nullable().describe('where to go on reading; null at the end of the file'),
  }),
  'fs.write': z.strictObject({ success, bytes_written: z.int().min(0) }),
  'fs.create': z.strictObject({ success, bytes_written: z.int().min(0) }),
  'fs.delete': z.strictObject({ success }),
  'fs.list': z.strictObject({
    success,
    entries: z.array(
      z.strictObject({
        name: z.string(),
        kind: z.enum(['file', 'folder', 'link', 'other']),
        size: z.int().min(0).describe('bytes of a file'),
      }),
    ),
    next: z.string().nullable().describe('`after` for the next page; null at the end'),
  }),
} as const;

const DESCRIPTIONS: Readonly<Record<FileTool, { readonly title: string; readonly description: string }>> = {
  'fs.read': {
    title: 'Read a file',
    description: `Reads a file, ${READ_BYTES} bytes at most in one call; \`offset\` reads on.`,
  },
  'fs.write': {
    title: 'Write a file',
    description:
      'Writes a whole file, in place of what it held. Whoever reads sees the old or the new one, never a part.',
  },
  'fs.create': {
    title: 'Create a file or folder',
    description: 'Makes a new file or folder. Refused when something has that name.',
  },
  'fs.delete': { title: 'Delete a file', description: 'Deletes a file or an empty folder.' },
  'fs.list': {
    title: 'List a folder',
    description: `Lists a folder by name, ${LISTED_ENTRIES} entries at most in one call; \`after\` lists on.`,
  },
};

/** What the gate judged each of them as. */
export const FILE_ACCESS: Readonly<Record<FileTool, PathFact['access']>> = {
  'fs.read': 'read',
  'fs.list': 'read',
  'fs.write': 'write',
  'fs.create': 'write',
  'fs.delete': 'delete',
};

const FILE_TOOLS: readonly FileTool[] = ['fs.read', 'fs.list', 'fs.write', 'fs.create', 'fs.delete'];

export function isFileTool(tool: string): tool is FileTool {
  return Object.hasOwn(FILE_INPUTS, tool);
}

/** The tools as clients list them. */
export const FILE_LISTINGS: readonly ToolListing[] = FILE_TOOLS.map((tool) => ({
  tool,
  ...DESCRIPTIONS[tool],
  inputSchema: schemaOf(FILE_INPUTS[tool], 'input'),
  outputSchema: schemaOf(OUTPUTS[tool], 'output'),
  annotations: {
    readOnlyHint: FILE_ACCESS[tool] === 'read',
    destructiveHint: tool === 'fs.write' || tool === 'fs.delete',
    idempotentHint: tool === 'fs.write',
    openWorldHint: false,
  },
}));

function schemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io });
  // A JSON schema is JSON: the library's type only knows it as an object of unknown members.
  return rest as JsonObject;
}
