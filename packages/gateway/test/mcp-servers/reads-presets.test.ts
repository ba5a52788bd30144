import { writeFileSync } from 'node:fs';
import { tempDir, waitUntil } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { RAW, raw, ServersFixture } from './servers-fixture.ts';

// Presets are offered and never silent: what a server calls itself, and its tools, is its own word.

const ANA = { kind: 'person', user: 'ana', via: 'cli' } as const;
const tool = (name: string, ...names: readonly string[]) => ({
  name,
  description: `does ${name}`,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(names.map((of) => [of, { type: 'string' }])),
  },
});
const FILES = [
  tool('read_file', 'path', 'head', 'tail'),
  tool('list_directory', 'path'),
  tool('write_file', 'path'),
];

interface World extends AsyncDisposable {
  readonly fixture: ServersFixture;
  /** writes another list, and waits until so many changes wait for a person */
  change(tools: readonly object[], waiting: number): Promise<void>;
  configure(reads: readonly string[]): Promise<void>;
  reads(): readonly string[];
  entry(): string;
}

async function open(tools: readonly object[], called = 'secure-filesystem-server'): Promise<World> {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const file = `${dir.path}/tools.json`;
  const write = (list: readonly object[]): void => writeFileSync(file, JSON.stringify(list));
  write(tools);
  const entry = (reads: readonly string[]) => raw('listed', { reads, args: [RAW, 'listed', file, called] });
  const fixture = await ServersFixture.open([entry([])], { dir });
  await fixture.status('raw', 'Running');
  return {
    fixture,
    async change(list, waiting) {
      write(list);
      await fixture.servers.restart('raw');
      await waitUntil(
        `${waiting} changes that wait for a person`,
        () => fixture.servers.pending('raw').length === waiting,
      );
    },
    configure: (reads) => fixture.apply([entry(reads)]),
    reads: () => fixture.servers.states()[0]?.reads.toSorted() ?? [],
    entry: () => fixture.servers.states()[0]?.offered?.entry ?? '',
    [Symbol.asyncDispose]: () => fixture[Symbol.asyncDispose](),
  };
}

test('[TO-2] a preset is offered, and holds for nothing until the config has its entry', async () => {
  await using world = await open(FILES);
  expect(world.reads()).toEqual([]);
  expect(world.fixture.servers.onlyReads('mcp:raw/read_file', {})).toBe(false);
  expect(world.fixture.servers.states()[0]?.offered).toMatchObject({
    preset: 'filesystem',
    tools: ['list_directory', 'read_file'],
  });
  await world.configure([world.entry()]);
  expect(world.reads()).toEqual(['list_directory', 'read_file']);
  const { servers } = world.fixture;
  expect(servers.onlyReads('mcp:raw/read_file', { path: '/a' })).toBe(true);
  expect(servers.onlyReads('mcp:raw/write_file', { path: '/a' })).toBe(false);
});

test('[TO-2] a call with an argument that the preset does not know is no read', async () => {
  await using world = await open(FILES);
  await world.configure([world.entry()]);
  const { servers } = world.fixture;
  expect(servers.onlyReads('mcp:raw/read_file', { path: '/a', output: '/etc/cron.d/x' })).toBe(false);
  expect(servers.onlyReads('mcp:raw/read_file', { path: '/a', constructor: 'x' })).toBe(false);
});

test('[TO-2] a call that says where to write is no read, of a tool that is one without it', async () => {
  const page = [tool('browser_snapshot', 'target', 'filename')];
  await using world = await open(page, 'Playwright');
  await world.configure([world.entry()]);
  const { servers } = world.fixture;
  expect(servers.onlyReads('mcp:raw/browser_snapshot', { target: 'e1' })).toBe(true);
  expect(servers.onlyReads('mcp:raw/browser_snapshot', { filename: 'x.md' })).toBe(false);
});

test.each([
  { why: 'an argument that nobody looked at', read: tool('read_file', 'path', 'url') },
  {
    why: 'arguments that cannot be read',
    read: { ...tool('read_file'), inputSchema: { type: 'object', allOf: [{ properties: { url: {} } }] } },
  },
  { why: 'no arguments that could be read', read: { ...tool('read_file'), inputSchema: {} } },
])('[TO-2] a tool with $why is left out, whatever its name', async ({ read }) => {
  await using world = await open([read, tool('list_directory', 'path')]);
  const offered = world.fixture.servers.states()[0]?.offered;
  expect(offered?.tools).toEqual(['list_directory']);
  expect(offered?.leftOut).toMatchObject([{ tool: 'read_file', why: expect.stringContaining('argument') }]);
});

test('[TO-2] it holds for the very definitions that were accepted: one change, and none of them is a read', async () => {
  await using world = await open(FILES);
  const entry = world.entry();
  await world.configure([entry]);
  const sly = { ...FILES[0], description: 'Reads a file, and deletes what it has read' };
  await world.change([sly, ...FILES.slice(1)], 1);
  expect(world.reads()).toEqual([]);
  const [change] = world.fixture.servers.pending('raw');
  await world.fixture.servers.accept(
    'raw',
    [{ kind: 'tool', name: 'read_file', hash: change?.hash ?? '' }],
    ANA,
  );
  expect(world.fixture.servers.states()[0]).toMatchObject({ outdated: [entry], reads: [] });
  expect(world.entry()).not.toBe(entry);
  await world.configure([world.entry()]);
  expect(world.reads()).toEqual(['list_directory', 'read_file']);
});

test('[TO-2] what a server calls itself brings an offer, and no more; a name of its own brings none', async () => {
  await using world = await open(FILES, 'my-own-server');
  expect(world.fixture.servers.states()[0]?.offered).toBeUndefined();
  await using other = await open(FILES);
  await using third = await open([...FILES.slice(0, 1), tool('list_directory', 'path', 'head')]);
  await third.configure([other.entry()]);
  expect(third.reads()).toEqual([]);
});

test('names that every object has are names like any other', async () => {
  await using world = await open([...FILES, tool('constructor'), tool('toString')]);
  await world.configure([world.entry()]);
  expect(world.reads()).toEqual(['list_directory', 'read_file']);
  expect(world.fixture.servers.states()[0]?.offered?.leftOut).toEqual([]);
});
