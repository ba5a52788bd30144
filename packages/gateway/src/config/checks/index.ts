import type { ConfigCheck } from '../config-check.ts';
import { checkApprovals } from '../sections/approvals-check.ts';
import { checkBodyPlaces } from '../sections/body-places-check.ts';
import { checkCredentials } from '../sections/credentials-check.ts';
import { checkGatekeeper } from '../sections/gatekeeper-check.ts';
import { checkMcpServers } from '../sections/mcp-servers-check.ts';
import { checkRotation } from '../sections/rotation-check.ts';
import { checkRoutes } from '../sections/routes-check.ts';
import { checkIdentities } from './identities.ts';
import { checkListeners } from './listeners.ts';
import { checkNamesExist } from './names-exist.ts';
import { checkOnePerson } from './one-person.ts';
import { checkSinks } from './sinks.ts';

/** What the ground settings demand of each other; modules add checks of their own. */
export const builtInChecks: readonly ConfigCheck[] = [
  checkNamesExist,
  checkOnePerson,
  checkIdentities,
  checkListeners,
  checkSinks,
  checkApprovals,
  checkBodyPlaces,
  checkCredentials,
  checkGatekeeper,
  checkMcpServers,
  checkRotation,
  checkRoutes,
];
