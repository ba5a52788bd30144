import { existsSync } from 'node:fs';
import { mkdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  MCP_FIXTURE_PROGRAM,
  type McpHttpFixture,
  ScriptedModel,
  startMcpHttpFixture,
  startTestGateway,
  tempDir,
} from '@sallyport/testkit';
import { McpTestClient } from '../../mcp-door/mcp-client.ts';
import { RAW } from '../../mcp-servers/servers-fixture.ts';
import { verdict } from '../../review/review-fixture.ts';
import { all, at, below, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

type See =
  | 'read'
  | 'write'
  | 'owner'
  | 'listed'
  | 'servers'
  | 'judged'
  | 'asked'
  | 'oauth'
  | 'waits'
  | 'slow'
  | 'often';
type Cases = Record<string, Case<See> | readonly Case<See>[]>;

interface ToolsWorld extends OpenWorld {
  readonly folder: string;
  readonly model: ScriptedModel;
  readonly token: string;
}

const PLACE = { folder: '', url: '', model: '' };
const lazily =
  (path: string, make: () => unknown): Case<See>['change'] =>
  (draft) =>
    at(path, make())(draft);

const volume = lazily('volumes', () => [{ name: 'one', mount: '/work', path: join(PLACE.folder, 'one') }]);
const ofVolume = (key: string, value: () => unknown, see: See): Case<See> => ({
  given: volume,
  change: lazily(`volumes.0.${key}`, value),
  see,
});

const server = at('mcp_servers', [
  { name: 'fix', executable: process.execPath, args: [MCP_FIXTURE_PROGRAM], sandbox: 'none' },
]);
const plain = at('mcp_servers', [
  // Under another name: what a server of a known name says differently waits for a person.
  { name: 'raw', executable: process.execPath, args: [RAW, 'plain'], sandbox: 'none' },
]);
const jailed = at('mcp_servers', [
  {
    name: 'fix',
    executable: process.execPath,
    args: [MCP_FIXTURE_PROGRAM],
    sandbox: { read: ['/usr/share'] },
  },
]);
const ofServer = (key: string, value: unknown, see: See, given = server): Case<See> => ({
  given,
  change: at(`mcp_servers.0.${key}`, value),
  see,
});
const remote = lazily('mcp_servers', () => [{ name: 'fix', url: `${PLACE.url}/mcp` }]);
const checked = all(
  server,
  lazily('gatekeeper', () => ({
    ...{ model: 'openai-compatible:m', base_url: `${PLACE.model}/v1`, api_key: 'env:ONE' },
  })),
  at('agents.dev.execution', { tool_validation: { 'mcp:fix/echo': { criteria: 'harmless' } } }),
);

/** An agent of whoever has the context. */
const bound = (path: string) =>
  at(`${path.replace('security_contexts', '')}agents.dev`, {
    permissions: ['allow:*'],
    security_context: 'c',
  });

const contexts = (path: string): Cases => {
  const of = (more: object) =>
    all(volume, bound(path), at(`${path}.c`, { capabilities: [{ tool: 'fs.*', ...more }] }));
  const change = (key: string, value: unknown) => at(`${path}.c.capabilities.0.${key}`, value);
  return {
    '.capabilities[].rate.per_seconds': {
      given: of({ rate: { calls: 2, per_seconds: 1 } }),
      change: change('rate.per_seconds', 3_600),
      see: 'often',
    },
    '.capabilities[].max_output_bytes': {
      given: of({}),
      change: change('max_output_bytes', 10),
      see: 'read',
    },
  };
};

const slowContexts = (path: string): Cases => ({
  '.capabilities[].timeout_seconds': {
    given: all(server, bound(path), at(`${path}.c`, { capabilities: [{ tool: 'mcp:*' }] })),
    change: at(`${path}.c.capabilities.0.timeout_seconds`, 1),
    see: 'slow',
  },
});

export const toolsGroup: Group<See, ToolsWorld> = {
  name: 'tools, as agents see them',
  cases: {
    'volumes[]': [
      { change: volume, see: 'read' },
      { given: volume, change: at('volumes', []), see: 'read' },
    ],
    'volumes[].name': ofVolume('name', () => 'two', 'read'),
    'volumes[].mount': ofVolume('mount', () => '/else', 'read'),
    'volumes[].path': ofVolume('path', () => join(PLACE.folder, 'two'), 'read'),
    'volumes[].tenants[]': ofVolume('tenants', () => ['more'], 'read'),
    'volumes[].mode': ofVolume('mode', () => 'ro', 'write'),
    'volumes[].quota_bytes': ofVolume('quota_bytes', () => 1, 'write'),
    'volumes[].uid': ofVolume('uid', () => 4_242, 'owner'),
    'volumes[].gid': ofVolume('gid', () => 4_242, 'owner'),
    'mcp.oauth': { change: at('mcp.oauth', false), see: 'oauth' },
    'mcp.wait': {
      given: all(server, at('mcp.wait', '100ms'), at('agents.dev.permissions', ['ask:mcp:*', 'allow:*'])),
      change: at('mcp.wait', '5s'),
      see: 'waits',
    },
    'mcp_servers[]': [
      { change: server, see: 'listed' },
      { given: server, change: at('mcp_servers', []), see: 'listed' },
    ],
    'mcp_servers[].name': ofServer('name', 'other', 'listed'),
    'mcp_servers[].executable': ofServer('executable', '/bin/false', 'servers'),
    'mcp_servers[].args[]': ofServer('args', [MCP_FIXTURE_PROGRAM, '--tools=1'], 'servers'),
    'mcp_servers[].url': {
      given: remote,
      change: lazily('mcp_servers.0.url', () => `${PLACE.url}/else`),
      see: 'servers',
    },
    'mcp_servers[].tenants[]': ofServer('tenants', ['more'], 'listed'),
    'mcp_servers[].capabilities[]': ofServer('capabilities', ['web.fetch'], 'listed', plain),
    'mcp_servers[].reads[]': ofServer('reads', ['echo'], 'judged'),
    'mcp_servers[].env.*': ofServer('env', { ONE: 'plain' }, 'servers'),
    'mcp_servers[].credentials.*': ofServer('credentials', { ONE: 'env:ONE' }, 'servers'),
    'mcp_servers[].health_check.interval_seconds': ofServer(
      'health_check',
      { interval_seconds: 1 },
      'servers',
    ),
    'mcp_servers[].health_check.method': ofServer('health_check', { method: 'ping' }, 'servers'),
    'mcp_servers[].timeout_seconds': ofServer('timeout_seconds', 7, 'servers'),
    'mcp_servers[].sandbox': ofServer('sandbox', undefined, 'servers'),
    'mcp_servers[].sandbox.read[]': ofServer('sandbox.read', ['/usr/lib'], 'servers', jailed),
    'mcp_servers[].sandbox.write[]': ofServer('sandbox.write', ['/tmp'], 'servers', jailed),
    'mcp_servers[].egress[]': ofServer('egress', ['a.example'], 'servers', jailed),
    'mcp_servers[].skip_judge': ofServer('skip_judge', true, 'asked', checked),
    ...below('security_contexts.*', contexts, 'security_contexts'),
    ...below('tenants.*.security_contexts.*', contexts, 'tenants.default.security_contexts'),
    ...below('security_contexts.*', slowContexts, 'security_contexts'),
    ...below('tenants.*.security_contexts.*', slowContexts, 'tenants.default.security_contexts'),
  },
  async open() {
    const dir = await tempDir();
    const http: McpHttpFixture = await startMcpHttpFixture();
    const model = await ScriptedModel.start({ apiKey: 'secret-number-one', reply: () => verdict('pass') });
    Object.assign(PLACE, { folder: dir.path, url: new URL(http.url).origin, model: model.url });
    for (const name of ['one', 'two']) {
      await mkdir(join(dir.path, name));
      await writeFile(join(dir.path, name, 'a.txt'), `the file of ${name}`);
    }
    const base: Draft = {
      tenants: {
        default: {
          ...{ default_user: 'ana', default_agent: 'dev', exceptions: ['*'] },
          users: { ana: { roles: ['owner'] } },
        },
        more: {},
      },
      roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
      agents: { dev: { permissions: ['allow:*'] } },
    };
    const gateway = await startTestGateway({
      config: JSON.stringify(base),
      env: { ONE: 'secret-number-one', PATH: process.env['PATH'] ?? '' },
    });
    const { session_token: token } = await gateway.openSession('dev');
    return {
      ...{ gateway, base, folder: dir.path, model, token },
      async [Symbol.asyncDispose]() {
        await gateway.close();
        await http[Symbol.asyncDispose]();
        await model[Symbol.asyncDispose]();
        await dir.remove();
      },
    };
  },
  // Servers take a moment to start; what they are then stays.
  async settle(world, _see, draft) {
    const wanted = (draft['mcp_servers'] ?? []) as readonly unknown[];
    let before = '';
    // One that cannot run here (no jail on this machine) is not waited for.
    const until = performance.now() + 2_000;
    for (let same = 0; same < 3 && performance.now() < until; ) {
      const states = await statesOf(world);
      const now = JSON.stringify(states.map(({ name, pid, status }) => [name, pid, status]));
      const isUp = states.length === wanted.length && states.every(({ status }) => status === 'running');
      same = isUp && now === before ? same + 1 : 0;
      before = now;
      await sleep(30);
    }
  },
  async look(world, see) {
    const { gateway, token, folder, model } = world;
    const client = new McpTestClient(gateway, token);
    if (see === 'oauth') return (await gateway.agent('/.well-known/oauth-protected-resource/mcp')).status;
    // One that is made of other settings takes the place of the one before.
    if (see === 'servers')
      return (await gateway.operator('/v1/audit/events?type=MCPServerEvent::Stopped&limit=200')).json<{
        items: unknown[];
      }>().items.length;
    await client.initialize();
    const call = async (tool: string, input: object) => {
      const { answer } = await client.request('tools/call', { name: tool, arguments: input });
      return JSON.stringify(answer.result ?? answer.error).slice(0, 300);
    };
    switch (see) {
      case 'listed': {
        const { answer } = await client.request('tools/list', {});
        return ((answer.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name).toSorted();
      }
      case 'read': {
        const said = await call('fs.read', { path: '/work/a.txt' });
        const type = 'StorageEvent::FileRead';
        const events = (await gateway.operator(`/v1/audit/events?type=${type}&limit=1`)).json<{
          items: { data: object }[];
        }>();
        return [
          said.replace(/act_\w+/g, ''),
          (events.items[0]?.data as { volume?: string } | undefined)?.volume,
        ];
      }
      case 'write': {
        const name = `b${Math.random()}.txt`;
        await call('fs.write', { path: `/work/${name}`, content: 'x'.repeat(100) });
        const isThere = existsSync(join(folder, 'one', name));
        await rm(join(folder, 'one', name), { force: true });
        return isThere;
      }
      case 'owner': {
        const name = `c${Math.floor(Math.random() * 1e9)}.txt`;
        await call('fs.write', { path: `/work/${name}`, content: 'more' });
        const { uid, gid } = await stat(join(folder, 'one', name));
        await rm(join(folder, 'one', name));
        return [uid, gid];
      }
      case 'judged': {
        const { answer } = await client.request('tools/list', {});
        const names = ((answer.result?.['tools'] ?? []) as { name: string }[]).map(({ name }) => name);
        await call('fix/echo', { message: 'x' });
        const events = (await gateway.operator('/v1/audit/events?limit=20')).json<{
          items: { data: { judged?: string; effect?: string } }[];
        }>();
        return [names, events.items.find(({ data }) => data.judged !== undefined)?.data.effect];
      }
      case 'asked': {
        model.requests.length = 0;
        await call('fix/echo', { message: 'x' });
        return model.requests.length;
      }
      case 'waits': {
        const began = performance.now();
        const asked = client.request('tools/call', {
          name: 'fix/echo',
          arguments: { message: String(Math.random()) },
        });
        const isSoon = await Promise.race([asked.then(() => true), sleep(1_500).then(() => false)]);
        const { items } = (await gateway.operator('/v1/approvals?status=pending')).json<{
          items: { id: string }[];
        }>();
        for (const { id } of items)
          await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '3' } });
        await asked;
        return [isSoon, performance.now() < began];
      }
      case 'slow':
        return Promise.race([
          call('fix/hang', {}).then(() => 'broken off'),
          sleep(2_500).then(() => 'goes on'),
        ]);
      case 'often': {
        await call('fs.read', { path: '/work/a.txt' });
        await call('fs.read', { path: '/work/a.txt' });
        await sleep(1_100);
        return (await call('fs.read', { path: '/work/a.txt' })).includes('the file of');
      }
    }
  },
};

interface State {
  readonly name: string;
  readonly status: string;
  readonly pid: number | null;
}

async function statesOf({ gateway }: Pick<ToolsWorld, 'gateway'>): Promise<readonly State[]> {
  return (await gateway.operator('/v1/mcp-servers')).json<{ items: State[] }>().items;
}
