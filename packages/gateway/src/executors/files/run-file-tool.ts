import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import { bytesOf, textOf } from './file-content.ts';
import type { FileJob } from './file-tools.ts';
import type { Caller, VolumeFiles } from './volume-files.ts';

/** A place that was judged, and who may use it. */
export interface JudgedPlace {
  readonly files: VolumeFiles;
  readonly caller: Caller;
  readonly volume: string;
  /** components below the mount */
  readonly parts: readonly string[];
}

/** Carries one tool out on one place, and says what became of it in the words of the tool's output schema. */
export async function runFileTool(job: FileJob, place: JudgedPlace): Promise<JsonObject> {
  switch (job.tool) {
    case 'fs.read':
      return read(place, job.input);
    case 'fs.list':
      return list(place, job.input);
    case 'fs.write':
      return write(place, job.input, false);
    case 'fs.create':
      return job.input.kind === 'file' ? write(place, job.input, true) : makeFolders(place, job.input);
    case 'fs.delete':
      return withHandle(place, 'write', (handle) => {
        place.files.remove(place.caller, handle);
        return { success: true };
      });
    default:
      return assertNever(job);
  }
}

type Input<T extends FileJob['tool']> = Extract<FileJob, { readonly tool: T }>['input'];

function read(place: JudgedPlace, { offset, length, encoding }: Input<'fs.read'>): Promise<JsonObject> {
  return withHandle(place, 'read', async (handle) => {
    const { bytes, size } = await place.files.read(place.caller, handle, offset, length);
    const { content, bytesRead } = textOf(bytes, encoding, offset + bytes.length >= size);
    const next = offset + bytesRead;
    return {
      success: true,
      content,
      encoding,
      bytes_read: bytesRead,
      size,
      next_offset: bytesRead > 0 && next < size ? next : null,
    };
  });
}

function list(place: JudgedPlace, { after, limit }: Input<'fs.list'>): Promise<JsonObject> {
  return withHandle(place, 'read', async (handle) => {
    const { entries, more } = await place.files.list(place.caller, handle, after, limit);
    return {
      success: true,
      entries: entries.map(({ name, kind, size }) => ({ name, kind, size })),
      next: more ? (entries.at(-1)?.name ?? null) : null,
    };
  });
}

function write(
  place: JudgedPlace,
  { content, encoding }: Pick<Input<'fs.write'>, 'content' | 'encoding'>,
  mustBeNew: boolean,
): Promise<JsonObject> {
  const bytes = bytesOf(content, encoding);
  return withHandle(place, 'write', async (handle) => {
    await place.files.write(place.caller, handle, bytes, mustBeNew);
    return { success: true, bytes_written: bytes.length };
  });
}

/** The folder and those above it that are missing. What the gate judged is the longest of these paths. */
async function makeFolders(place: JudgedPlace, { content }: Input<'fs.create'>): Promise<JsonObject> {
  if (content !== '') throw new SallyportError('BadRequest', { message: 'a folder has no content' });
  const { files, caller, parts } = place;
  for (let depth = 1; depth <= parts.length; depth += 1) {
    const isLast = depth === parts.length;
    await withHandle({ ...place, parts: parts.slice(0, depth) }, 'write', async (handle) => {
      try {
        await files.makeFolder(caller, handle);
      } catch (error) {
        // One that is there already, or was made by another call meanwhile; what is no folder stops the next step.
        if (isLast || !(error instanceof SallyportError) || error.code !== 'Conflict') throw error;
      }
    });
  }
  if (parts.length === 0) throw new SallyportError('Conflict', { message: 'this is the volume itself' });
  return { success: true, bytes_written: 0 };
}

async function withHandle<T>(
  { files, caller, volume, parts }: JudgedPlace,
  access: 'read' | 'write',
  use: (handle: Uint8Array) => T | Promise<T>,
): Promise<T> {
  const handle = files.open(caller, volume, parts.join('/'), access);
  try {
    return await use(handle);
  } finally {
    files.close(caller, handle);
  }
}
