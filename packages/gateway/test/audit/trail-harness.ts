import { join } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { openTrail, Redactor, type Trail, type TrailOptions } from '../../src/audit/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';

export interface TrailHome extends AsyncDisposable {
  readonly path: string;
  readonly dbFile: string;
  readonly folder: string;
  readonly keyFile: string;
}

/** A temporary home for a trail. */
export async function trailHome(): Promise<TrailHome> {
  const dir = await tempDir('sp-audit-');
  return {
    path: dir.path,
    dbFile: join(dir.path, 'sallyport.db'),
    folder: join(dir.path, 'audit'),
    keyFile: join(dir.path, 'audit.key'),
    [Symbol.asyncDispose]: dir.remove,
  };
}

export interface OpenedTrail extends AsyncDisposable {
  readonly store: Store;
  readonly trail: Trail;
}

/** A store and a trail in it; both are closed on dispose. */
export async function openHome(
  home: TrailHome,
  options: Partial<TrailOptions> & { readonly url?: string } = {},
): Promise<OpenedTrail> {
  const { url, ...rest } = options;
  const store = await openStore(url === undefined ? { sqliteFile: home.dbFile } : { url });
  const trail = await openTrail({
    store,
    signingKeyFile: home.keyFile,
    level: 'metadata',
    redactor: new Redactor(),
    clock: { now: Date.now },
    ...rest,
  }).catch(async (error: unknown) => {
    await store.close();
    throw error;
  });
  return {
    store,
    trail,
    [Symbol.asyncDispose]: async () => {
      await trail.close();
      await store.close();
    },
  };
}
