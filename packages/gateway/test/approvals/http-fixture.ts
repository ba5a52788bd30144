import { type HttpClient, httpClient } from '@sallyport/testkit';
import { allowRuleRoutes, operatorAllowRuleRoutes } from '../../src/doors/api/allow-rules.ts';
import { approvalRoutes } from '../../src/doors/api/approvals.ts';
import { decisionRoutes } from '../../src/doors/api/decisions.ts';
import { inboxRoutes } from '../../src/doors/api/index.ts';
import { createClientRules } from '../../src/gate/index.ts';
import { newToken, OperatorToken, startSessions } from '../../src/identity/index.ts';
import { requireSession } from '../../src/servers/agent-auth.ts';
import { type App, createBaseApp } from '../../src/servers/base-app.ts';
import type { HttpLimits } from '../../src/servers/http-server.ts';
import { requireOperator } from '../../src/servers/operator/operator-auth.ts';
import { Secret } from '../../src/shared/secret.ts';
import {
  type ApprovalsFixture,
  type ApprovalsFixtureOptions,
  CONFIG,
  openFixture,
} from './approvals-fixture.ts';

export const INBOX_SECRET = 'spi_0123456789';

/** Both sides over real sockets, with the routes of approvals on them. */
export async function openHttp(options: ApprovalsFixtureOptions & { limits?: Partial<HttpLimits> } = {}) {
  const fixture: ApprovalsFixture = await openFixture(options);
  const { clock, trail, store, coordination, keys, open, gate, grants } = fixture;
  const stopping = new AbortController();
  const sessions = await startSessions({
    store,
    coordination,
    audit: trail,
    clock,
    tenantOf: (tenant) =>
      tenant === 'default'
        ? { users: CONFIG.tenants.default.users, roles: CONFIG.roles, agents: new Set(['dev']) }
        : undefined,
  });
  const base = async (side: 'agent' | 'operator'): Promise<App> =>
    createBaseApp({
      side,
      version: 'test',
      allowedHosts: () => [],
      onInternalError: (error) => fixture.errors.push(error),
      onAnswered: () => {},
      ...(options.limits === undefined ? {} : { limits: options.limits }),
    });
  const agentApp = await base('agent');
  requireSession(agentApp, sessions);
  approvalRoutes(agentApp, {
    keys,
    sessions,
    gate,
    approvals: open,
    config: { config: { custom_types: ['billing:refund'] } },
    clock,
    heartbeatMs: 1_000,
    stopping: stopping.signal,
  });
  allowRuleRoutes(agentApp, { keys, clientRules: createClientRules(grants) });
  inboxRoutes(agentApp, { inbox: open.inbox, secret: new Secret(INBOX_SECRET) });

  const operatorToken = newToken('operator');
  const operatorApp = await base('operator');
  requireOperator(operatorApp, new OperatorToken(operatorToken));
  decisionRoutes(operatorApp, { approvals: open, clock });
  operatorAllowRuleRoutes(operatorApp, grants);

  const apiUrl = await agentApp.listen({ host: '127.0.0.1', port: 0 });
  const operatorUrl = await operatorApp.listen({ host: '127.0.0.1', port: 0 });
  const by = { kind: 'operator', via: 'test' } as const;
  const newKey = async (tenant = 'default') => (await keys.create({ tenant, name: 'test', by })).key.reveal();
  const apiKey = await newKey();
  const agentSide = httpClient({ url: apiUrl });
  const operatorSide = httpClient({ url: operatorUrl });
  const agent: HttpClient = (path, call) => agentSide(path, { token: apiKey, ...call });
  const operator: HttpClient = (path, call) => operatorSide(path, { token: operatorToken.reveal(), ...call });
  return {
    ...fixture,
    sessions,
    apiUrl,
    operatorUrl,
    apiKey,
    operatorToken: operatorToken.reveal(),
    newKey,
    /** with the API key, unless the call has another token */
    agent,
    /** with the operator token, unless the call has another */
    operator,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      await agentApp.close();
      await operatorApp.close();
      await sessions.close();
      await fixture[Symbol.asyncDispose]();
    },
  };
}

export const QUESTION = {
  session_id: 'sess_123',
  action_type: 'exec_cmd',
  title: 'Run command',
  preview: 'rm -rf ./build && npm run build',
  expires_in_sec: 600,
};
