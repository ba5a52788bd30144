import { type TempDir, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll } from 'vitest';
import { describeCrashContract } from './crash.contract.ts';
import { describeGrantsContract } from './grants.contract.ts';
import { describeMcpPinsContract } from './mcp-pins.contract.ts';
import { describeRepositoriesContract } from './repositories.contract.ts';
import { describeStoreContract } from './store.contract.ts';

let dir: TempDir;
let files = 0;
beforeAll(async () => {
  dir = await tempDir();
});
afterAll(() => dir.remove());

async function fresh(): Promise<{ sqliteFile: string }> {
  files += 1;
  return { sqliteFile: `${dir.path}/${files}.db` };
}

describeStoreContract('SQLite', fresh);
describeRepositoriesContract('SQLite', fresh);
describeCrashContract('SQLite', fresh);
describeGrantsContract('SQLite', fresh);
describeMcpPinsContract('SQLite', fresh);
