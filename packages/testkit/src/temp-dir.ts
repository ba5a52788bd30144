import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of its own, mode 0700, removed with all it holds on dispose. */
export interface TempDir extends AsyncDisposable {
  readonly path: string;
  remove(): Promise<void>;
}

export async function tempDir(prefix = 'sallyport-'): Promise<TempDir> {
  const path = await mkdtemp(join(tmpdir(), prefix));
  const remove = (): Promise<void> => rm(path, { recursive: true, force: true });
  return { path, remove, [Symbol.asyncDispose]: remove };
}
