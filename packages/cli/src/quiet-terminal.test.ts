import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { tempDir } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { createOutput } from './output.ts';
import { QuietTerminal } from './quiet-terminal.ts';

test('says a problem once in one line, counts it, and keeps the stack trace in the file alone', async () => {
  await using dir = await tempDir();
  const file = join(dir.path, 'gateway.log');
  const stderr = new PassThrough();
  const log = new QuietTerminal(createOutput({ stdout: new PassThrough(), stderr }, {}), file);
  const problem = {
    level: 'error',
    msg: 'telegram cannot be reached',
    err: { message: 'ECONNREFUSED \u001b[2J', stack: 'Error: ECONNREFUSED\n    at connect (net.ts:1)' },
  };
  log.write(`${JSON.stringify({ level: 'info', msg: 'a request' })}\n`);
  for (let times = 0; times < 25; times += 1) log.write(`${JSON.stringify(problem)}\n`);
  log.write(`${JSON.stringify({ level: 'warn', msg: 'another' })}\n`);
  expect(String(stderr.read()).replace(dir.path, 'HOME')).toMatchInlineSnapshot(`
    "problem: telegram cannot be reached: ECONNREFUSED \\u{1b}[2J
    "
  `);
  expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(28);
  expect(readFileSync(file, 'utf8')).toContain('at connect');
});

test('a log that cannot be written stops nothing', () => {
  const stderr = new PassThrough();
  const log = new QuietTerminal(
    createOutput({ stdout: new PassThrough(), stderr }, {}),
    '/nonexistent/gateway.log',
  );
  log.write(`${JSON.stringify({ level: 'warn', msg: 'a problem' })}\n`);
  expect(String(stderr.read())).toBe('problem: a problem\n');
});
