export {
  type ConfigCheck,
  formatProblems,
  type HomePaths,
  type LocatedProblem,
  resolveHome,
  runDoctor,
} from './config/index.ts';
export { caFacts } from './doors/proxy/authority/index.ts';
export { rotateCaFiles } from './doors/proxy/authority/rotate-ca.ts';
export type { AddedCredential, NewCredential } from './gateway/add-credential.ts';
export { addCredential } from './gateway/add-credential.ts';
export type { CheckedConfig } from './gateway/check-config-file.ts';
export type { GatewayOptions, RunningGateway } from './gateway/gateway-options.ts';
export { openPolicyDesk, type PolicyTestReport, testPolicyFile } from './gateway/offline-policy.ts';
export { verifyHome } from './gateway/verify-report.ts';
export { checkConfigFile, configChecks, doctorChecks, startGateway } from './main.ts';
export type { HttpLimits } from './servers/index.ts';
