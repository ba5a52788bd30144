import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { MCP_FIXTURE_PROGRAM, startTestGateway, type TestGateway, waitUntil } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { RAW } from './servers-fixture.ts';

const FIX = { name: 'fix', executable: process.execPath, args: [MCP_FIXTURE_PROGRAM], sandbox: 'none' };
const JUDGED = {
  'mcp:fix/echo': { criteria: 'only polite words' },
  'mcp:free/echo': { criteria: 'the same' },
};

function configOf(servers: readonly object[], agent: object = {}): string {
  return JSON.stringify({
    mcp_servers: servers,
    roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
    agents: { dev: { permissions: ['allow:*'], ...agent } },
    // Nobody answers there: what is to be checked cannot be.
    gatekeeper: { model: 'openai-compatible:m', base_url: 'http://127.0.0.1:9/v1', timeout_seconds: 1 },
    tenants: {
      default: {
        users: { ana: { roles: ['owner'] } },
        default_user: 'ana',
        default_agent: 'dev',
        mode: 'cautious',
        exceptions: ['mcp:*'],
      },
    },
  });
}

async function open(config: string): Promise<TestGateway> {
  const gateway = await startTestGateway({ config });
  onTestFinished(() => gateway.close());
  return gateway;
}

/** The official client at the gateway's own MCP endpoint. */
async function connect(gateway: TestGateway): Promise<Client> {
  const { session_token } = await gateway.openSession();
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${session_token}` } };
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${gateway.urls.api}/mcp`), { requestInit }),
  );
  onTestFinished(() => client.close());
  return client;
}

async function running(gateway: TestGateway, count: number): Promise<void> {
  await waitUntil(`${count} running servers`, async () => {
    const { items } = (await gateway.operator('/v1/mcp-servers')).json<{ items: { status: string }[] }>();
    return items.filter(({ status }) => status === 'Running').length === count;
  });
}

/** Name by which the door lists a tool of ours. */
async function nameOf(client: Client, server: string, tool: string): Promise<string> {
  const { tools } = await client.listTools();
  const found = tools.find(({ name }) => name.includes(server) && name.endsWith(tool));
  if (found === undefined)
    throw new Error(`no ${server} ${tool} in ${tools.map(({ name }) => name).join(' ')}`);
  return found.name;
}

test('skip_judge leaves out the semantic judge for the tools of one server, and nothing else', async () => {
  const servers = [FIX, { ...FIX, name: 'free', skip_judge: true }];
  const gateway = await open(configOf(servers, { execution: { tool_validation: JUDGED } }));
  await running(gateway, 2);
  const client = await connect(gateway);
  const call = async (server: string) =>
    client.callTool({ name: await nameOf(client, server, 'echo'), arguments: { message: 'hi' } });
  expect(await call('fix')).toMatchObject({ isError: true });
  expect(JSON.stringify(await call('fix'))).toContain('SemanticJudgeUnavailable');
  expect(await call('free')).toMatchObject({ content: [{ type: 'text', text: 'Echo: hi' }] });
});

test('[TO-1] a deny rule holds for a server whose calls the judge does not see', async () => {
  const servers = [{ ...FIX, name: 'free', skip_judge: true }];
  const gateway = await open(configOf(servers, { permissions: ['deny:mcp:free/echo', 'allow:*'] }));
  await running(gateway, 1);
  const client = await connect(gateway);
  const name = (await nameOf(client, 'free', 'whoami')).replace('whoami', 'echo');
  expect(JSON.stringify(await client.callTool({ name, arguments: { message: 'hi' } }))).toContain(
    'RuleDenied',
  );
});

test('a server that the config names later is there without a restart, and goes when it does not any more', async () => {
  const gateway = await open(configOf([FIX]));
  await running(gateway, 1);
  const raw = { name: 'raw', executable: process.execPath, args: [RAW, 'plain'], sandbox: 'none' };
  await gateway.writeConfig(configOf([FIX, raw]));
  await running(gateway, 2);
  const client = await connect(gateway);
  await nameOf(client, 'raw', 'echo');
  await gateway.writeConfig(configOf([FIX]));
  await running(gateway, 1);
  await expect(nameOf(client, 'raw', 'echo')).rejects.toThrow('no raw echo');
});
