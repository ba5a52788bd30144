import type { Migration } from 'kysely/migration';
import { up as approvals } from './approvals.ts';
import { up as audit } from './audit.ts';
import { up as coordination } from './coordination.ts';
import { countGrants, createGrants, narrowGrants } from './grants.ts';
import { addSessionRepositories, addSessionWorkspace, createIdentity } from './identity.ts';
import { up as mcpPins } from './mcp-pins.ts';
import { up as sealWorkloads } from './seal-workloads.ts';

/** Forward only, in this order. A published migration is never edited. */
export const MIGRATIONS: Readonly<Record<string, Migration>> = {
  '0001-identity': { up: createIdentity },
  '0002-audit': { up: audit },
  '0003-grants': { up: createGrants },
  '0004-approvals': { up: approvals },
  '0005-mcp-pins': { up: mcpPins },
  '0006-seal-workloads': { up: sealWorkloads },
  '0007-coordination': { up: coordination },
  '0009-session-repositories': { up: addSessionRepositories },
  '0010-narrow-grants': { up: narrowGrants },
  '0011-session-workspace': { up: addSessionWorkspace },
  '0012-counted-grants': { up: countGrants },
};
