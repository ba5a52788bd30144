import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { openHttp, QUESTION } from '../approvals/http-fixture.ts';

const BIN = fileURLToPath(new URL('../../../cli/bin/sallyport.js', import.meta.url));

/** The gateway's own routes, core and store, and the real command; only the unix socket between is the test's. */
let world: Awaited<ReturnType<typeof openHttp>>;
let home: TempDir;
const clients = new Set<Socket>();
const socket = createServer((client) => {
  clients.add(client);
  client.on('close', () => clients.delete(client));
  const upstream = connect(Number(new URL(world.operatorUrl).port), '127.0.0.1');
  client.pipe(upstream).pipe(client);
  client.on('error', () => upstream.destroy());
  upstream.on('error', () => client.destroy());
});

beforeEach(async () => {
  world = await openHttp();
  home = await tempDir();
  await writeFile(join(home.path, 'operator.token'), world.operatorToken, { mode: 0o600 });
  await new Promise<void>((resolve) => void socket.listen(join(home.path, 'operator.sock'), resolve));
});
afterEach(async () => {
  // Kept-alive connections would hold the close until they time out.
  for (const client of clients) client.destroy();
  await new Promise<void>((resolve) => void socket.close(() => resolve()));
  await world[Symbol.asyncDispose]();
  await home.remove();
});

async function run(
  ...argv: readonly string[]
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [BIN, ...argv], {
    env: { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, SALLYPORT_HOME: home.path },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  const code = await new Promise<number | null>((resolve) => void child.once('close', resolve));
  return { code, stdout, stderr };
}
const create = async (): Promise<string> =>
  (await world.agent('/v1/approvals', { json: QUESTION })).json<{ approval_id: string }>().approval_id;
const status = async (id: string) => (await world.agent(`/v1/approvals/${id}`)).json();

test.each([
  { argv: [], decision: { code: '1', note: null, override: null } },
  { argv: ['--session'], decision: { code: '2' } },
  { argv: ['--always'], decision: { code: '6' } },
  { argv: ['--for', '15m'], decision: { code: '1' } },
  { argv: ['--note', 'add logs'], decision: { code: '4', note: 'add logs' } },
  { argv: ['--with', 'npm test'], decision: { code: '5', override: 'npm test' } },
])('approve $argv reaches the client that asked', async ({ argv, decision }) => {
  const id = await create();
  expect(await run('approve', id, ...argv)).toEqual({
    code: 0,
    stderr: '',
    stdout: `${id} is approved: Run command\n`,
  });
  expect(await status(id)).toMatchObject({ status: 'approved', decision });
});

test('pending shows it, deny ends it, and the second answer is told that it came too late', async () => {
  const id = await create();
  expect((await run('pending')).stdout).toContain(`${id}  `);
  expect((await run('pending', id)).stdout).toMatch(/│ rm -rf \.\/build && npm run build/);
  expect((await run('deny', id)).stdout).toBe(`${id} is denied: Run command\n`);
  expect((await run('pending')).stdout).toBe('nothing waits for you\n');
  const late = await run('approve', id);
  expect(late.code).toBe(1);
  expect(late.stderr).toMatch(/it is denied already/);
  expect(await status(id)).toMatchObject({ status: 'denied' });
});
