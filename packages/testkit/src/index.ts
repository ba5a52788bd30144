export { type EngineName, type EngineState, requireEngine } from './engines.ts';
export { FakeClock } from './fake-clock.ts';
export { type PostgresOptions, startPostgres, type TestPostgres } from './postgres.ts';
export { type TempDir, tempDir } from './temp-dir.ts';
