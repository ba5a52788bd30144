export { openPolicyQuestions, type PolicyTestReport, testPolicyFile } from './admission/index.ts';
export { tryConfig, tryConfigFile } from './admission/try-config.ts';
export { CHANNELS, type ChannelSetup, type SetupField } from './approvals/index.ts';
export { verifyHome } from './audit/index.ts';
export { caFacts, rotateCaFiles } from './authority/index.ts';
export type { CheckedConfig } from './config/index.ts';
export {
  type ConfigCheck,
  formatProblems,
  type HomePaths,
  type LocatedProblem,
  resolveHome,
  runDoctor,
} from './config/index.ts';
export { type FoundCredential, findCredentials } from './credentials/index.ts';
export type { AddedCredential, NewCredential } from './gateway/add-credential.ts';
export { addCredential, secretFileName, secretsFolder, withCredential } from './gateway/add-credential.ts';
export { removeCredential, rotateCredential } from './gateway/change-credential.ts';
export { addServer, type NewServer, removeServer } from './gateway/change-servers.ts';
export { type ConfigPlace, problemOf, readConfigText, writeConfigText } from './gateway/config-file-edit.ts';
export type { GatewayOptions, RunningGateway } from './gateway/gateway-options.ts';
export { databaseNeeds, makeBackup, restoreBackup } from './ground/index.ts';
export { checkConfigFile, configChecks, doctorChecks, startGateway } from './main.ts';
export type { HttpLimits } from './servers/index.ts';
