import { policyGroup } from './policy.ts';
import { runGroup } from './run-group.ts';

runGroup(policyGroup);
