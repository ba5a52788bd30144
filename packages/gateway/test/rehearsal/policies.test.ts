import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { loadPolicyParts } from '../../src/admission/policy-parts.ts';
import { loadConfig, resolveHome } from '../../src/config/index.ts';
import { testPolicyFile } from '../../src/index.ts';

const FOLDER = resolve(import.meta.dirname, '../../../../policies');
const files = readdirSync(FOLDER);
const tables = files.filter((name) => name.endsWith('.test.yaml'));
const policies = files.filter((name) => name.endsWith('.yaml') && !name.endsWith('.test.yaml'));

// A machine on which nothing is configured; `~/` of the policies is the home of the imagined agent.
const env = { HOME: '/home/agent' };
const options = (file: string) => ({ file, env, paths: resolveHome(env) });

test('the library has a table for every policy, and a policy for every table', () => {
  expect(policies.map((name) => name.replace('.yaml', '.test.yaml'))).toEqual(tables);
  expect(policies).toEqual(['ci-bot.yaml', 'locked-down.yaml', 'researcher.yaml', 'solo.yaml', 'team.yaml']);
});

describe.each(policies)('%s', (name) => {
  const file = join(FOLDER, name);

  test('is a complete config without warnings, and says for whom it is', () => {
    const { check } = loadPolicyParts(resolveHome(env), env);
    expect(loadConfig({ file, env, checks: [check] }).warnings).toEqual([]);
    expect(readFileSync(file, 'utf8')).toMatch(/^# .+\n#\n# For whom: {2}\S/);
  });
});

describe.each(tables)('%s', (name) => {
  test('every row is answered as it says', async () => {
    const { results } = await testPolicyFile(options(join(FOLDER, name)));
    const wrong = results.filter(({ ok }) => !ok);
    expect(wrong).toEqual([]);
  });

  test('has twenty rows of either kind, for both confinements, and more that must not pass', async () => {
    const { results } = await testPolicyFile(options(join(FOLDER, name)));
    const friendly = results.filter(({ expected }) => expected === 'allow').length;
    expect(friendly).toBeGreaterThanOrEqual(20);
    expect(results.length - friendly).toBeGreaterThanOrEqual(20);
    expect(readFileSync(join(FOLDER, name), 'utf8').match(/unconfined/g)?.length).toBeGreaterThanOrEqual(15);
    expect(results.length - friendly).toBeGreaterThan(friendly);
    expect(new Set(results.map(({ text, why }) => `${text} ${why}`)).size).toBe(results.length);
  });
});

describe('a table', () => {
  const run = async (text: string) => {
    await using dir = await tempDir();
    const file = join(dir.path, 'x.test.yaml');
    writeFileSync(file, text);
    return await testPolicyFile({ ...options(file), policy: join(FOLDER, 'solo.yaml') });
  };

  test('reports a row that is wrong, with what the policy says and why', async () => {
    const { results } = await run(`
cases:
  - { do: Read(~/.ssh/id_ed25519), expect: allow, why: deliberately wrong }
  - { do: Bash(git push origin main), confinement: unconfined, expect: { ask: human }, why: the wrong strength }
  - { do: Read(~/.netrc), expect: { deny: NotPermitted }, why: the wrong code }
  - { do: Read(README.md), expect: allow, why: right }
`);
    expect(results.map(({ ok }) => ok)).toEqual([false, false, false, true]);
    expect(results[0]).toEqual({
      text: 'Read(~/.ssh/id_ed25519)',
      why: 'deliberately wrong',
      ok: false,
      expected: 'allow',
      actual: 'deny',
      reason: 'rule `deny:Read(~/.ssh/**)` denies this',
    });
    expect(results[1]).toMatchObject({ expected: 'ask human', actual: 'ask each-time' });
    expect(results[2]).toMatchObject({ expected: 'deny NotPermitted', actual: 'deny RuleDenied' });
  });

  test.each([
    { text: 'cases: []', why: 'an empty table shows nothing' },
    { text: 'cases: [{ do: Bash(ls), expect: allow }]', why: 'a row without a reason' },
    { text: 'cases: [{ do: Bash(ls), expect: maybe, why: x }]', why: 'an answer that does not exist' },
    {
      text: 'cases: [{ do: Bash(ls), http: GET https://x.example/, expect: allow, why: x }]',
      why: 'two actions',
    },
    { text: 'cases: [{ expect: allow, why: x }]', why: 'no action' },
    { text: 'cases: [{ do: Bash(ls), expects: allow, why: x }]', why: 'a key that does not exist' },
    { text: 'cases: [{ do: "[", expect: allow, why: x }]', why: 'not a tool call' },
    { text: 'cases: [{ http: ftp://x/, expect: allow, why: x }]', why: 'not a request' },
    {
      text: 'cases: [{ do: Bash(ls), agent: nobody, expect: deny, why: x }]',
      why: 'an agent that is not there',
    },
    {
      text: 'cases: [{ do: Bash(ls), tenant: nobody, expect: deny, why: x }]',
      why: 'a tenant that is not there',
    },
    { text: 'cases: [', why: 'not YAML' },
  ])('is refused as a whole: $why', async ({ text }) => {
    await expect(run(text)).rejects.toMatchObject({ code: 'BadRequest' });
  });
});
