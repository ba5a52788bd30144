import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { resolveHome } from '../config/index.ts';
import { serversDoctorCheck } from './doctor-checks.ts';

test.each([
  { servers: '[]', status: 'ok' },
  { servers: '[{ name: quiet, executable: x }]', status: 'ok' },
  {
    servers: '[{ name: quiet, executable: x }, { name: loud, executable: x, sandbox: none }]',
    status: 'warn',
  },
])('the doctor says of $servers: $status', async ({ servers, status }) => {
  const home = mkdtempSync(join(tmpdir(), 'sallyport-doctor-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, 'sallyport.yaml'), `mcp_servers: ${servers}\n`);
  const paths = resolveHome({}, { home });
  const result = await serversDoctorCheck.run({
    ...{ paths, env: {}, configChecks: [], signal: AbortSignal.timeout(10_000) },
  });
  expect(result.status).toBe(status);
  expect(result.message.includes('loud')).toBe(status === 'warn');
  expect(result.message).not.toContain('quiet');
});
