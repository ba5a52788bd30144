import type { KeyObject } from 'node:crypto';
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { SallyportError, type VerifyReport } from '@sallyport/protocol';
import { type Config, type HomePaths, loadConfig, type Variables } from '../../config/index.ts';
import { openStore, type Store } from '../../store/index.ts';
import { loadSigningKey } from '../chain/signing-key.ts';
import { readAnchorFile } from './verify-anchors.ts';
import { verifyTrail } from './verify-trail.ts';

export interface VerifyParts {
  readonly store: Store;
  readonly paths: HomePaths;
  readonly config: Config;
  readonly publicKey: KeyObject;
}

/** Checks database, files and, where it is a file that we can read, the anchor. One tenant, or all. */
export async function verifyReport(parts: VerifyParts, tenant?: string): Promise<VerifyReport> {
  const { store, paths, config, publicKey } = parts;
  const anchor = config.audit.anchor?.file;
  const anchorFile = anchor === undefined ? undefined : resolve(paths.home, anchor);
  const report = await verifyTrail({
    store,
    folder: paths.auditFolder,
    publicKeys: [publicKey],
    anchors: anchorFile !== undefined && existsSync(anchorFile) ? [await readAnchorFile(anchorFile)] : [],
  });
  const tenants = report.tenants
    .filter((found) => tenant === undefined || found.tenant === tenant)
    .map((found) => ({
      tenant: found.tenant,
      ok: found.firstBad === undefined,
      events: found.events,
      checkpoints: found.checkpoints,
      problem:
        found.firstBad === undefined
          ? null
          : {
              seq: found.firstBad.seq,
              event: found.firstBad.id ?? null,
              message: `${found.firstBad.where}: ${found.firstBad.problem}`,
            },
    }));
  return { ok: tenants.every(({ ok }) => ok), tenants };
}

/** Checks the trail of a home whose gateway is not running. Throws `HomeUnusable` where there is none. */
export async function verifyHome(paths: HomePaths, env: Variables): Promise<VerifyReport> {
  const { config } = loadConfig({ file: paths.config, env });
  const { url } = config.store;
  // Opening would make what is missing, and then find nothing wrong with it.
  if (!existsSync(paths.auditKey) || (url === undefined && !existsSync(paths.database))) {
    throw new SallyportError('HomeUnusable', {
      message: `there is no trail in \`${paths.home}\``,
      hint: 'name the home of the gateway with `--home` or SALLYPORT_HOME',
    });
  }
  const store = await openStore(url === undefined ? { sqliteFile: paths.database } : { url });
  try {
    const { publicKey } = loadSigningKey(paths.auditKey);
    return await verifyReport({ store, paths, config, publicKey });
  } finally {
    await store.close();
  }
}
