import { runGroup } from './run-group.ts';
import { workspaceGroup } from './workspace.ts';

runGroup(workspaceGroup);
