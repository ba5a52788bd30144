import type { Migration } from 'kysely/migration';
import * as identity from './0001-identity.ts';
import * as audit from './0002-audit.ts';
import * as grants from './0003-grants.ts';

/** Forward only, in this order. A published migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-identity': identity,
  '0002-audit': audit,
  '0003-grants': grants,
};
