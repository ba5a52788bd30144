export { isAway, placeCommand, placePaths } from './place-command.ts';
export { EVERYTHING, isRebuilt, NOTHING, type Workspace, workspaceOf } from './workspace.ts';
