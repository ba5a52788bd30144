export { allowRuleRoutes, operatorAllowRuleRoutes } from './allow-rules.ts';
export { approvalRoutes } from './approvals.ts';
export { decisionRoutes } from './decisions.ts';
export { inboxRoutes } from './inbox.ts';
