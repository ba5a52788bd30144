import type { PathFact } from '@sallyport/protocol';
import { z } from 'zod';
import { fileCall, type ToolDefinition } from './tool-definition.ts';

/** Bytes that one call may read or write, and entries that it may list: what a model can be handed at once. */
const READ_BYTES = 1024 * 1024;
export const WRITE_BYTES = 16 * 1024 * 1024;
const LISTED_ENTRIES = 1000;

const path = z.string().min(1).describe('absolute path, for example `/workspace/notes.md`; no `.` or `..`');
const encoding = z
  .enum(['utf8', 'base64'])
  .default('utf8')
  .describe('`base64` for files that are not UTF-8 text');
const content = z.string().describe('what the file is to hold, all of it');
const success = z.literal(true);

function volume<const Schema extends NonNullable<ToolDefinition['schema']>>(
  docs: string,
  access: PathFact['access'],
  schema: Schema,
) {
  const facts = { category: 'file_system', pattern: 'path', by: 'fsal', docs } as const;
  return { ...facts, call: fileCall('path', access), schema };
}

/** Files of volumes, on the host. `executors/files` carries each of them out: one that it does not does not compile. */
export const FILE_TOOLS = {
  'fs.read': volume('reads a file of a volume', 'read', {
    title: 'Read a file',
    description: `Reads a file, ${READ_BYTES} bytes at most in one call; \`offset\` reads on.`,
    input: z.strictObject({
      path,
      encoding,
      offset: z.int().min(0).default(0).describe('first byte to read'),
      length: z.int().min(1).max(READ_BYTES).default(READ_BYTES).describe('bytes to read at most'),
    }),
    output: z.strictObject({
      success,
      content: z.string(),
      encoding: z.enum(['utf8', 'base64']),
      bytes_read: z.int().min(0),
      size: z.int().min(0).describe('bytes of the whole file'),
      next_offset: z.int().nullable().describe('where to go on reading; null at the end of the file'),
    }),
    destructive: false,
    idempotent: false,
  }),
  'fs.list': volume('lists a folder of a volume', 'read', {
    title: 'List a folder',
    description: `Lists a folder by name, ${LISTED_ENTRIES} entries at most in one call; \`after\` lists on.`,
    input: z.strictObject({
      path,
      after: z.string().default('').describe('list names after this one: `next` of the page before'),
      limit: z.int().min(1).max(LISTED_ENTRIES).default(LISTED_ENTRIES).describe('entries at most'),
    }),
    output: z.strictObject({
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
    destructive: false,
    idempotent: false,
  }),
  'fs.write': volume('writes a whole file of a volume', 'write', {
    title: 'Write a file',
    description:
      'Writes a whole file, in place of what it held. Whoever reads sees the old or the new one, never a part.',
    input: z.strictObject({ path, content, encoding }),
    output: z.strictObject({ success, bytes_written: z.int().min(0) }),
    destructive: true,
    idempotent: true,
  }),
  'fs.create': {
    ...volume('makes a new file or folder in a volume', 'write', {
      title: 'Create a file or folder',
      description: 'Makes a new file or folder. Refused when something has that name.',
      input: z.strictObject({
        path,
        kind: z
          .enum(['file', 'folder'])
          .default('file')
          .describe('a folder is made with the folders above it'),
        content: content.default('').describe('what a new file is to hold'),
        encoding,
      }),
      output: z.strictObject({ success, bytes_written: z.int().min(0) }),
      destructive: false,
      idempotent: false,
    }),
    call: { ...fileCall('path', 'write'), type: 'code:create' },
  },
  'fs.delete': volume('deletes a file or an empty folder of a volume', 'delete', {
    title: 'Delete a file',
    description: 'Deletes a file or an empty folder.',
    input: z.strictObject({ path }),
    output: z.strictObject({ success }),
    destructive: true,
    idempotent: false,
  }),
} as const satisfies Readonly<Record<string, ToolDefinition>>;

export type FileTool = keyof typeof FILE_TOOLS;
