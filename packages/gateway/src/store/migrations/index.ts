import type { Migration } from 'kysely/migration';
import { up as identity } from './0001-identity.ts';
import { up as audit } from './0002-audit.ts';
import { up as grants } from './0003-grants.ts';
import { up as approvals } from './0004-approvals.ts';
import { up as mcpPins } from './0005-mcp-pins.ts';
import { up as sealWorkloads } from './0006-seal-workloads.ts';
import { up as coordination } from './0007-coordination.ts';

/** Forward only, in this order. A published migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-identity': { up: identity },
  '0002-audit': { up: audit },
  '0003-grants': { up: grants },
  '0004-approvals': { up: approvals },
  '0005-mcp-pins': { up: mcpPins },
  '0006-seal-workloads': { up: sealWorkloads },
  '0007-coordination': { up: coordination },
};
