import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = join(import.meta.dirname, '../src/bootstrap.ts');
const WORKLOAD = {
  ...{ gateway: 'http://127.0.0.1:9', workload_id: 'wl_1', attestation_secret: 'spa_x' },
  ...{ execution_id: 'exec_1', gateway_public_key: 'x' },
};

async function start(line: string): Promise<{ code: number; said: unknown }> {
  const child = spawn(process.execPath, [PROGRAM], { stdio: ['pipe', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stdin.end(line);
  const [code] = (await once(child, 'close')) as [number];
  return { code, said: JSON.parse(output) };
}

test.each([
  { why: 'nothing', line: '', message: 'there is no workload on stdin' },
  { why: 'no JSON', line: 'hello\n', message: 'the workload is not JSON' },
  { why: 'a part only', line: '{"gateway":"x"}\n', message: 'the workload has no `workload_id`' },
])('a worker that is started with $why ends at once and says why', async ({ line, message }) => {
  expect(await start(line)).toEqual({
    code: 1,
    said: { type: 'failed', id: null, code: 'BadStart', message },
  });
});

test('a worker without a way to put commands apart from itself does not attest', async () => {
  const { code, said } = await start(`${JSON.stringify(WORKLOAD)}\n`);
  expect(code).toBe(1);
  expect(said).toMatchObject({ type: 'failed', code: 'BadStart', message: expect.stringContaining('nest') });
});
