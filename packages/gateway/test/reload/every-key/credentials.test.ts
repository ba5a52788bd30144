import { credentialsGroup } from './credentials.ts';
import { runGroup } from './run-group.ts';

runGroup(credentialsGroup);
