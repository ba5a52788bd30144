import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { tempDir } from '@sallyport/testkit';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../../../..');
const PROGRAM = join(ROOT, 'packages/cli/bin/sallyport.js');

/** A process of its own, because the exit code is what a pipeline looks at. */
async function policyTest(home: string, ...argv: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'policy', 'test', ...argv], {
    env: { HOME: home, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, out: out.replaceAll(home, '~').replaceAll(ROOT, '.'), err };
}

const TABLE = `
policy: sallyport.yaml
cases:
  - { do: Bash(git status), confinement: unconfined, expect: allow, why: harmless }
  - { do: Bash(git push origin main), confinement: unconfined, expect: ROW, why: others build on it }
`;

const POLICY = `
tenants: { default: { default_user: me, default_agent: dev, users: { me: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
agents: { dev: { permissions: ["allow:*"] } }
`;

async function run(row: string, ...flags: readonly string[]) {
  await using dir = await tempDir();
  const file = join(dir.path, 'x.test.yaml');
  writeFileSync(join(dir.path, 'sallyport.yaml'), POLICY);
  writeFileSync(file, TABLE.replace('ROW', row));
  return await policyTest(dir.path, file, ...flags);
}

test('a table that is right ends with 0 and one line', async () => {
  const { code, out } = await run('{ ask: each-time }');
  expect(out).toBe('2 right, 0 wrong, in ~/sallyport.yaml\n');
  expect(code).toBe(0);
});

test('a row that is wrong is shown with what the policy says and why it matters, and ends with 1', async () => {
  const { code, out } = await run('allow');
  expect(out).toBe(`wrong  Bash(git push origin main)
       expected allow, the policy says ask: \`main\` is a protected branch
       others build on it
1 right, 1 wrong, in ~/sallyport.yaml
`);
  expect(code).toBe(1);
});

test('--json says the same for programs', async () => {
  const { code, out } = await run('allow', '--json');
  expect(JSON.parse(out)).toMatchObject({ ok: false, results: [{ ok: true }, { ok: false, actual: 'ask' }] });
  expect(code).toBe(1);
});

test('a table that cannot be read ends with 1 and says what is wrong', async () => {
  const { code, err } = await run('perhaps');
  expect(err).toContain('is not a table of policy tests');
  expect(code).toBe(1);
});
