import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { requireTools, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDoor } from './door-fixture.ts';

const tools = requireTools('mcp');
const PROGRAM = join(tools.folder, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');

/** The same question to both, by the official client. */
interface Question {
  readonly what: string;
  readonly ask: (client: Client, isAll: boolean) => Promise<unknown>;
}

const QUESTIONS: readonly Question[] = [
  { what: 'the resources', ask: (client) => client.listResources() },
  { what: 'the templates of resources', ask: (client) => client.listResourceTemplates() },
  {
    what: 'a resource',
    ask: (client) => client.readResource({ uri: 'demo://resource/static/document/architecture.md' }),
  },
  {
    what: 'a call with text',
    ask: (client, isAll) => client.callTool({ name: named('echo', isAll), arguments: { message: 'a' } }),
  },
  {
    what: 'a call with numbers',
    ask: (client, isAll) => client.callTool({ name: named('get-sum', isAll), arguments: { a: 2, b: 3 } }),
  },
  {
    what: 'a call with a picture',
    ask: (client, isAll) => client.callTool({ name: named('get-tiny-image', isAll), arguments: {} }),
  },
  {
    what: 'a call with structured content',
    ask: (client, isAll) =>
      client.callTool({ name: named('get-structured-content', isAll), arguments: { location: 'New York' } }),
  },
  {
    what: 'a call with annotated messages',
    ask: (client, isAll) =>
      client.callTool({
        name: named('get-annotated-message', isAll),
        arguments: { messageType: 'error', includeImage: true },
      }),
  },
  {
    what: 'a call with wrong arguments',
    ask: (client, isAll) =>
      client.callTool({ name: named('get-sum', isAll), arguments: { a: 'two' } }).catch(String),
  },
  {
    what: 'a prompt',
    ask: (client, isAll) => client.getPrompt({ name: named('simple-prompt', isAll) }),
  },
  {
    what: 'a prompt with arguments',
    ask: (client, isAll) =>
      client.getPrompt({ name: named('args-prompt', isAll), arguments: { city: 'Graz', state: 'Styria' } }),
  },
  {
    what: 'a completion',
    ask: (client, isAll) =>
      client.complete({
        ref: { type: 'ref/prompt', name: named('completable-prompt', isAll) },
        argument: { name: 'department', value: 'E' },
      }),
  },
];

const named = (name: string, isAll: boolean): string => (isAll ? `ev/${name}` : name);

describe.skipIf(tools.missing)(`the reference server (${tools.install})`, () => {
  let gateway: TestGateway;
  const direct = new Client({ name: 'test', version: '1' });
  const alone = new Client({ name: 'test', version: '1' });
  const among = new Client({ name: 'test', version: '1' });

  beforeAll(async () => {
    gateway = await startDoor({
      more: `  - name: ev
    executable: ${JSON.stringify(process.execPath)}
    sandbox: none
    args: ${JSON.stringify([PROGRAM, 'stdio'])}`,
    });
    const { session_token: token } = await gateway.openSession();
    const door = (path: string) =>
      new StreamableHTTPClientTransport(new URL(`${gateway.urls.api}${path}`), {
        requestInit: { headers: { authorization: `Bearer ${token}` } },
      });
    await direct.connect(
      new StdioClientTransport({ command: process.execPath, args: [PROGRAM, 'stdio'], stderr: 'ignore' }),
    );
    await alone.connect(door('/mcp/ev'));
    await among.connect(door('/mcp'));
  }, 60_000);
  afterAll(async () => {
    await Promise.all([direct.close(), alone.close(), among.close()]);
    await gateway.close();
  });

  test('lists the same tools through the door as directly', async () => {
    const { tools: expected } = await direct.listTools();
    expect(expected.length).toBeGreaterThan(10);
    const byName = <T extends { name: string }>(list: readonly T[]) =>
      list.toSorted((a, b) => a.name.localeCompare(b.name));
    expect(byName((await alone.listTools()).tools)).toEqual(byName(expected));
    const names = (await among.listTools()).tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(expected.map(({ name }) => `ev/${name}`)));
  });

  test('lists the same prompts through the door as directly', async () => {
    const { prompts } = await direct.listPrompts();
    expect((await alone.listPrompts()).prompts).toEqual(prompts);
    const all = (await among.listPrompts()).prompts.filter(({ name }) => name.startsWith('ev/'));
    expect(all).toEqual(prompts.map((prompt) => ({ ...prompt, name: `ev/${prompt.name}` })));
  });

  test.each(QUESTIONS)(
    'gives the same answer through its own address as directly: $what',
    async ({ ask }) => {
      expect(await ask(alone, false)).toEqual(await ask(direct, false));
    },
  );

  test.each(QUESTIONS.filter(({ what }) => !/^the /.test(what)))(
    'gives the same answer among all servers as directly: $what',
    async ({ ask }) => {
      expect(await ask(among, true)).toEqual(await ask(direct, false));
    },
  );
});
