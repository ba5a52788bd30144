import { InboxAnswerSchema, InboxMailSchema } from '@sallyport/protocol';
import type { Inbox } from '../../approvals/index.ts';
import type { DoorDefinition } from '../../servers/index.ts';
import { type App, requireInboxSecret } from '../../servers/index.ts';
import type { Secret } from '../../shared/secret.ts';
import { allowRuleRoutes, operatorAllowRuleRoutes } from './allow-rules.ts';
import { approvalRoutes } from './approvals.ts';
import { decisionRoutes } from './decisions.ts';

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

/** A mail of 10 MB, its text beside it, and what JSON adds. */
const BODY_BYTES = 24 * 1024 * 1024;

/** Mails that a forwarding service hands over. The email channel proves them; this route only lets them in. */
export function inboxRoutes(
  app: App,
  { inbox, secret }: { readonly inbox: Pick<Inbox, 'take'>; readonly secret: Secret },
): void {
  app.post(
    '/v1/inbox/email-reply',
    {
      // Admitted by its own secret: a forwarding service has no session.
      config: { public: true },
      onRequest: requireInboxSecret(secret),
      bodyLimit: BODY_BYTES,
      schema: {
        summary: 'Hand over a reply that came by mail',
        body: InboxMailSchema,
        response: { 200: InboxAnswerSchema },
      },
    },
    async (request) => ({ outcome: (await inbox.take(request.body)).kind }),
  );
}
