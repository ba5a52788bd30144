import type { DoorDefinition } from '../../servers/index.ts';
import { allowRuleRoutes, operatorAllowRuleRoutes } from './allow-rules.ts';
import { approvalRoutes } from './approvals.ts';
import { decisionRoutes } from './decisions.ts';
import { inboxRoutes } from './inbox.ts';

/** Programs with an API key ask people here. SECURITY: they are answered on the operator side alone [AP-2]. */
export const apiDoor = {
  name: 'api',
  targets: ['plain'],
  open(services) {
    const { approvals, inboxSecret } = services;
    return {
      agentRoutes(app) {
        approvalRoutes(app, services);
        allowRuleRoutes(app, services);
        inboxRoutes(app, { inbox: approvals.inbox, secret: inboxSecret });
      },
      operatorRoutes(app, operator) {
        decisionRoutes(app, operator);
        operatorAllowRuleRoutes(app, operator.grants);
      },
    };
  },
} as const satisfies DoorDefinition<'api'>;
