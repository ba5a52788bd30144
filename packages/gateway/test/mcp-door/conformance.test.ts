import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { requireTools, startMcpHttpFixture } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { relayWith, startDoor } from './door-fixture.ts';

const tools = requireTools('mcp');
const SUITE = join(tools.folder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
/** Every scenario for servers of the pinned suite. */
const SCENARIOS = 32;
const SUITE_MS = 90_000;

interface Run {
  readonly code: number;
  /** scenario → what the suite's summary says of it */
  readonly scenarios: ReadonlyMap<string, string>;
  readonly output: string;
}

async function runSuite(url: string): Promise<Run> {
  const child = spawn(process.execPath, [SUITE, 'server', '--url', url, '--suite', 'all'], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const [code] = (await once(child, 'close')) as [number];
  const lines = output.slice(output.indexOf('=== SUMMARY ===')).matchAll(/^([✓✗]) ([\w-]+): (.+)$/gm);
  const scenarios = new Map([...lines].map(([, mark, name, rest]) => [name ?? '', `${mark} ${rest}`]));
  return { code, scenarios, output };
}

const failures = ({ scenarios }: Run): readonly string[] =>
  [...scenarios]
    .filter(([, says]) => !/^✓ \d+ passed, 0 failed/.test(says))
    .map(([name, says]) => `${name} ${says}`);

describe.skipIf(tools.missing)(`the official conformance suite (${tools.install})`, () => {
  test('every scenario for servers passes against the fixture server itself', {
    timeout: SUITE_MS,
  }, async () => {
    await using fixture = await startMcpHttpFixture();
    const run = await runSuite(fixture.url);
    expect(failures(run)).toEqual([]);
    expect(run.scenarios.size).toBe(SCENARIOS);
    expect(run.code).toBe(0);
  });

  test('every scenario that passes directly passes through the door', { timeout: SUITE_MS }, async () => {
    await using gateway = await startDoor();
    const { session_token: token } = await gateway.openSession();
    await using relay = await relayWith(token, gateway.urls.api);
    const run = await runSuite(`${relay.url}/mcp/fix`);
    expect(failures(run), run.output).toEqual([]);
    expect(run.scenarios.size).toBe(SCENARIOS);
    expect(run.code).toBe(0);
  });
});
