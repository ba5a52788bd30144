import { modelsGroup } from './models.ts';
import { runGroup } from './run-group.ts';

runGroup(modelsGroup);
