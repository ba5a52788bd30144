import { runGroup } from './run-group.ts';
import { toolsGroup } from './tools.ts';

runGroup(toolsGroup);
