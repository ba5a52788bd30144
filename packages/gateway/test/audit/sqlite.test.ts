import { testCrashes } from './crash.contract.ts';

testCrashes('SQLite', async (home) => home.dbFile);
