import { requireEngine, startPostgres, type TempDir, type TestPostgres, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe } from 'vitest';
import { describeApprovalsContract } from './repository.contract.ts';

describe('SQLite', () => {
  let dir: TempDir;
  beforeAll(async () => {
    dir = await tempDir();
  });
  afterAll(() => dir.remove());
  describeApprovalsContract('SQLite', async () => ({ sqliteFile: `${dir.path}/approvals.db` }));
});

const engine = requireEngine('postgres');
describe.skipIf(engine.missing)(`Postgres (${engine.install})`, () => {
  let server: TestPostgres;
  beforeAll(async () => {
    server = await startPostgres();
  });
  afterAll(() => server.stop());
  describeApprovalsContract('Postgres', async () => ({ url: await server.createDatabase() }));
});
