import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TLSSocket, connect as tlsConnect } from 'node:tls';
import type { ApprovalDetail } from '@sallyport/protocol';
import { createTestCa, type EchoServer, startEchoServer, startTestGateway } from '@sallyport/testkit';
import type { Reach } from '../../proxy-clients/clients-fixture.ts';
import { openTunnel, proxied } from '../../proxy-clients/proxied.ts';
import { all, at, below, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

/** What is done through the proxy. */
type See =
  | { readonly kind: 'get'; readonly path?: string; readonly headers?: Readonly<Record<string, string>> }
  /** a write that asks: what people are shown, and for how long */
  | { readonly kind: 'ask'; readonly bytes: number }
  /** a read, and whether it asks */
  | { readonly kind: 'read' }
  | { readonly kind: 'issuer' };
type Cases = Record<string, Case<See> | readonly Case<See>[]>;

interface ProxyWorld extends OpenWorld {
  readonly echo: EchoServer;
  readonly reach: Reach;
}

const GET: See = { kind: 'get' };
const open = (path: string) =>
  at(path, { default: 'allow', allow_private: ['localhost', '127.0.0.0/8'], ca_files: ['upstream.pem'] });
const port = { value: 0 };

const network = (path: string): Cases => {
  const given = open(path);
  const also = (key: string, value: unknown, see: See): Case<See> => ({
    given,
    change: at(`${path}.${key}`, value),
    see,
  });
  return {
    '.allow_private[]': [
      {
        given: all(given, at(`${path}.allow_private`, undefined)),
        change: at(`${path}.allow_private`, ['localhost', '127.0.0.0/8']),
        see: GET,
      },
      { given, change: at(`${path}.allow_private`, []), see: GET },
    ],
    '.ca_files[]': {
      given: all(given, at(`${path}.ca_files`, [])),
      change: at(`${path}.ca_files`, ['upstream.pem']),
      see: GET,
    },
    '.tunnel[]': also('tunnel', ['localhost'], { kind: 'issuer' }),
    '.pass_auth[]': also('pass_auth', ['localhost'], {
      kind: 'get',
      headers: { authorization: 'Bearer own' },
    }),
    '.strip_headers[]': also('strip_headers', ['X-Own'], { kind: 'get', headers: { 'x-own': 'one' } }),
    '.read_budget.request': also('read_budget', { request: 0 }, { kind: 'read' }),
    '.read_budget.session': also('read_budget', { session: 0 }, { kind: 'read' }),
    '.preview_body_bytes': also('preview_body_bytes', 10, { kind: 'ask', bytes: 100 }),
    '.max_spool_bytes': also('max_spool_bytes', 1_000, { kind: 'ask', bytes: 100_000 }),
  };
};

const routes = (path: string): Cases => {
  const lent = all(
    open('network'),
    at('agents.dev.credentials', ['main', 'other']),
    at('tenants.default.credentials', {
      main: { kind: 'bearer', source: 'file:main.txt', hosts: ['localhost'] },
      other: { kind: 'bearer', source: 'file:other.txt', hosts: ['localhost'] },
    }),
  );
  const route = (more: object) => all(lent, at(path, [{ host: 'localhost', credential: 'main', ...more }]));
  const change = (key: string, value: unknown) => at(`${path}.0.${key}`, value);
  const inject = { inject: { header: 'X-One' } };
  return {
    '[]': [
      { given: lent, change: at(path, [{ host: 'localhost', credential: 'main' }]), see: GET },
      { given: route({}), change: at(path, []), see: GET },
    ],
    '[].host': { given: route({}), change: change('host', 'else.example'), see: GET },
    '[].port': {
      given: (draft) => route({ port: port.value })(draft),
      change: change('port', 1),
      see: GET,
    },
    '[].path': {
      given: route({ path: '/x' }),
      change: change('path', '/y'),
      see: { kind: 'get', path: '/x' },
    },
    '[].credential': { given: route({}), change: change('credential', 'other'), see: GET },
    '[].inject.header': { given: route(inject), change: change('inject.header', 'X-Two'), see: GET },
    '[].inject.format': { given: route(inject), change: change('inject.format', 'key {value}'), see: GET },
  };
};

/** An agent is lent what it lists. */
const credentials = (path: string): Cases => ({
  '.credentials[]': {
    given: all(
      open('network'),
      at('tenants.default.credentials', {
        main: { kind: 'bearer', source: 'file:main.txt', hosts: ['localhost'] },
      }),
      at('routes', [{ host: 'localhost', credential: 'main' }]),
      at(`${path}.permissions`, ['allow:*']),
      at(`${path}.credentials`, []),
    ),
    change: at(`${path}.credentials`, ['main']),
    see: GET,
  },
});

const approvals = (path: string): Cases => {
  const asked: See = { kind: 'ask', bytes: 10 };
  const given = all(open('network'), at(path, {}));
  const timeouts = (value: unknown) => all(given, at(`${path}.timeouts`, { custom: value }));
  const each = (key: string, value: unknown) => at(`${path}.timeouts.custom${key}`, value);
  return {
    '.timeout': { given, change: at(`${path}.timeout`, '2h'), see: asked },
    '.timeouts.*': { given, change: at(`${path}.timeouts`, { custom: 'wait' }), see: asked },
    '.timeouts.*.policy': {
      given: timeouts({ policy: 'deny', after: '3h' }),
      change: each('', { policy: 'tiered' }),
      see: asked,
      also: [`${PATTERN.get(path)}.timeouts.*`],
    },
    '.timeouts.*.after': {
      given: timeouts({ policy: 'deny', after: '3h' }),
      change: each('.after', '4h'),
      see: asked,
    },
    '.timeouts.*.tiers.*': {
      given: timeouts({ policy: 'tiered', tiers: {} }),
      change: each('.tiers', { low: '5h', medium: '5h', high: '5h', critical: '5h' }),
      see: asked,
    },
    '.timeouts.*.chain[]': {
      given: timeouts({ policy: 'escalate', chain: [{ role: 'owner', minutes: 10 }] }),
      change: each('.chain', [
        { role: 'owner', minutes: 10 },
        { role: 'owner', minutes: 20 },
      ]),
      see: asked,
    },
    '.timeouts.*.chain[].role': {
      given: timeouts({ policy: 'escalate', chain: [{ role: 'owner', minutes: 10 }] }),
      change: each('.chain.0.role', 'lead'),
      see: asked,
    },
    '.timeouts.*.chain[].minutes': {
      given: timeouts({ policy: 'escalate', chain: [{ role: 'owner', minutes: 10 }] }),
      change: each('.chain.0.minutes', 20),
      see: asked,
    },
    '.quorum.types[]': {
      given: all(given, at(`${path}.quorum`, { types: ['deploy'], of: 2 })),
      change: at(`${path}.quorum.types`, ['custom']),
      see: asked,
    },
    '.quorum.of': {
      given: all(given, at(`${path}.quorum`, { types: ['custom'], of: 2 })),
      change: at(`${path}.quorum.of`, 3),
      see: { kind: 'ask', bytes: 10 },
    },
  };
};
const PATTERN = new Map([
  ['approvals', 'approvals'],
  ['tenants.default.approvals', 'tenants.*.approvals'],
]);

export const proxyGroup: Group<See, ProxyWorld> = {
  name: 'the way out, as agents and their hosts see it',
  cases: {
    ...below('network', network, 'network'),
    ...below('tenants.*.network', network, 'tenants.default.network'),
    ...below('routes', routes, 'routes'),
    ...below('tenants.*.routes', routes, 'tenants.default.routes'),
    ...below('agents.*', credentials, 'agents.dev'),
    ...below('tenants.*.agents.*', credentials, 'tenants.default.agents.dev'),
    ...below('approvals', approvals, 'approvals'),
    ...below('tenants.*.approvals', approvals, 'tenants.default.approvals'),
  },
  async open() {
    const ca = await createTestCa();
    const echo = await startEchoServer({ ca });
    port.value = echo.port;
    const base: Draft = {
      tenants: {
        default: {
          ...{ default_user: 'ana', default_agent: 'dev', exceptions: ['http(GET *)', 'http(CONNECT *)'] },
          users: { ana: { roles: ['owner'] }, bob: { roles: ['lead'] } },
        },
      },
      roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] }, lead: { allow: ['approve:*'] } },
      agents: { dev: { permissions: ['allow:*'] } },
    };
    const gateway = await startTestGateway({ config: JSON.stringify(base) });
    await writeFile(join(gateway.home, 'upstream.pem'), ca.cert);
    for (const name of ['main', 'other'])
      await writeFile(join(gateway.home, `${name}.txt`), `value-of-${name}-12345`, { mode: 0o600 });
    const { session_token: token } = await gateway.openSession('dev');
    // What `proxied` needs of a whole fixture.
    const reach = { gateway, token, caFile: join(gateway.home, 'ca.pem') } as Reach;
    return {
      ...{ gateway, base, echo, reach },
      async [Symbol.asyncDispose]() {
        await gateway.close();
        await echo[Symbol.asyncDispose]();
      },
    };
  },
  async look({ gateway, echo, reach }, see) {
    const url = `${echo.url}${see.kind === 'get' ? (see.path ?? '/') : '/'}`;
    if (see.kind === 'issuer') return issuerOf(reach, new URL(url).host);
    if (see.kind === 'get') {
      echo.seen.length = 0;
      // Of the agent's own rights, as the session had them when it was opened: lent is what the config lists now.
      const { session_token: token } = await gateway.openSession('dev');
      const answer = await proxied(reach, url, {
        token,
        ...(see.headers === undefined ? {} : { headers: see.headers }),
      });
      const [{ headers = {} } = {}] = echo.seen;
      return [answer.status, headers.authorization, headers['x-one'], headers['x-two'], headers['x-own']];
    }
    const marker = String(Math.random());
    const body = see.kind === 'ask' ? { body: 'x'.repeat(see.bytes) } : {};
    const answering = proxied(reach, `${url}?${marker}`, body);
    let isOver = false;
    const question = await Promise.race([
      asked(gateway, marker, () => isOver),
      answering.then(({ status }) => status),
    ]);
    isOver = true;
    if (typeof question === 'number') return question;
    await gateway.operator(`/v1/approvals/${question.id}/decision`, { json: { code: '3' } });
    await answering;
    const { preview, expires_at: end, created_at: start, deciders, quorum } = question;
    const minutes = end === null ? null : Math.round((Date.parse(end) - Date.parse(start)) / 60_000);
    return { goesOn: preview.includes('goes on'), minutes, deciders, quorum };
  },
};

async function asked(
  gateway: OpenWorld['gateway'],
  marker: string,
  isOver: () => boolean,
): Promise<ApprovalDetail> {
  for (;;) {
    const { items } = (await gateway.operator('/v1/approvals?status=pending')).json<{
      items: ApprovalDetail[];
    }>();
    const found = items.find(({ preview }) => preview.includes(marker));
    if (found !== undefined) return found;
    // Refused without a question: whoever waits has the answer.
    if (isOver()) return await new Promise(() => {});
    await sleep(5);
  }
}

/** Who vouches for a host: ours where it is looked into, its own where it is not. */
async function issuerOf(reach: Reach, host: string): Promise<unknown> {
  const opened = await openTunnel(reach, host);
  if ('status' in opened) return opened.status;
  const socket: TLSSocket = tlsConnect({
    socket: opened.socket,
    servername: 'localhost',
    ca: readFileSync(reach.caFile),
    rejectUnauthorized: false,
  });
  await once(socket, 'secureConnect');
  const { issuer } = socket.getPeerCertificate();
  socket.destroy();
  return issuer;
}
