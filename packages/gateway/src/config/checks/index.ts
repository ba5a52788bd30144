import { checkApprovals } from './approvals.ts';
import type { ConfigCheck } from './config-check.ts';
import { checkBodyPlaces, checkCredentials } from './credentials.ts';
import { checkGatekeeper } from './gatekeeper.ts';
import { checkIdentities } from './identities.ts';
import { checkMcpServers, checkNamesExist } from './names-exist.ts';
import { checkOnePerson } from './one-person.ts';
import { checkListeners, checkSinks } from './places.ts';
import { checkRotation } from './rotation.ts';
import { checkRoutes } from './routes.ts';

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
