import { auditGroup } from './audit.ts';
import { runGroup } from './run-group.ts';

runGroup(auditGroup);
