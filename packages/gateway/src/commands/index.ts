export { isAcceptedVariable } from './accepted-variable.ts';
export { type CommandExtras, commandAction } from './reading/command-action.ts';
export { pushExtras } from './reading/push-extras.ts';
export { type NoCommand, type ReadCommand, readCommand, readCommandLine } from './reading/read-command.ts';
export { programsInConfig } from './terraform/config-programs.ts';
export { planExtras } from './terraform/plan-extras.ts';
export type { FolderNow } from './terraform/plan-facts.ts';
export type {
  CommandFiles,
  CommandIntent,
  CommandPlace,
  Trap,
  WrapperDefinition,
} from './wrapper.ts';
export { type GitAddress, gitAddressOf } from './wrappers/git.ts';
export { findWrapper, WRAPPERS } from './wrappers/index.ts';
