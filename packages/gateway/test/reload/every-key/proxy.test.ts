import { proxyGroup } from './proxy.ts';
import { runGroup } from './run-group.ts';

runGroup(proxyGroup);
