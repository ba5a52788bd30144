export { openStore, type StoreLocation } from './open-store.ts';
export type { Database } from './schema.ts';
export { openSqliteConnection } from './sqlite/sqlite-connection.ts';
export type { Store } from './store.ts';
