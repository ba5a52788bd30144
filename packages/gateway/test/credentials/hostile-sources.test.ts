import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitUntil } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { BrokerFixture, type BrokerSetup, headerOf } from './broker-fixture.ts';

const CANARY = 'canary-5e1f9a2b3c4d';
const SOURCES = `sources:
  bin: { read: "./bin/show {key}", env: [EXTRA] }
  arg: { read: "./bin/show before/{key}" }
  gone: { read: "./bin/missing {key}" }`;

function setup(source: string, over: Partial<BrokerSetup> = {}): BrokerSetup {
  return {
    tenant: `${SOURCES}\ncredentials: { api: { kind: bearer, source: ${JSON.stringify(source)}, hosts: [api.example.com] } }`,
    agents: { dev: ['api'] },
    ...over,
  };
}

async function withScript(script: string, over: Partial<BrokerSetup> = {}): Promise<BrokerFixture> {
  const fixture = await BrokerFixture.open(setup(`bin:key`, over));
  fixture.write('bin/show', `#!/bin/sh\n${script}\n`);
  chmodSync(join(fixture.home, 'bin/show'), 0o700);
  return fixture;
}

describe('a source that misbehaves', () => {
  test.each([
    {
      script: `echo '${CANARY}' >&2; exit 3`,
      says: 'ended with exit code 3',
      why: 'echoes the secret in its error',
    },
    {
      script: `printf '${CANARY}'; exit 1`,
      says: 'ended with exit code 1',
      why: 'prints the secret, then fails',
    },
    { script: 'exit 0', says: 'printed nothing', why: 'prints nothing' },
    { script: "printf '  \\n'", says: 'printed nothing', why: 'prints blanks' },
    { script: `yes ${CANARY} | head -c 10000000`, says: 'printed more than 64 KiB', why: 'prints 10 MB' },
    { script: "printf '\\377\\376\\001'", says: 'not UTF-8 text', why: 'prints bytes that are no text' },
    { script: `printf '${CANARY}\\000x'`, says: 'printed a NUL byte', why: 'prints a NUL' },
    { script: `printf '${CANARY}\\r\\nX-Evil: 1\\n'`, says: 'no header can carry', why: 'prints two lines' },
    { script: `printf '${CANARY}\\tx'`, says: 'no header can carry', why: 'prints a control character' },
    { script: 'kill -9 $$', says: 'was ended by SIGKILL', why: 'is killed' },
  ])('[CR-1] $why: the operator is told, the agent little, the value nobody', async ({ script, says }) => {
    const fixture = await withScript(script);
    const error = await fixture.refusal();
    expect([error.code, error.status, error.message]).toEqual([
      'CredentialUnavailable',
      502,
      'the credential `api` cannot be had now',
    ]);
    const [failed] = fixture.trail.of('CredentialEvent::Failed');
    expect(failed?.data).toMatchObject({ credential: 'api', source: 'bin:key', code: 'SecretUnreadable' });
    expect(String(failed?.data.message)).toContain(says);
    expect(fixture.log.join()).toContain(says);
    expect(fixture.printed(error)).not.toContain(CANARY);
    expect(JSON.stringify(fixture.broker.list())).not.toContain(CANARY);
  });

  test('and hangs is killed with all that it started, and the agent is told in time', async () => {
    const fixture = await withScript('sleep 600 & echo $! > child; echo $$ > self; wait', {
      longestMs: 300,
    });
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    const [failed] = fixture.trail.of('CredentialEvent::Failed');
    expect(String(failed?.data.message)).toMatch(/did not answer in time/);
    for (const file of ['child', 'self']) {
      await expectGone(Number(readFileSync(join(fixture.home, file), 'utf8')));
    }
  });

  test('is not asked again by every request that comes', async () => {
    const fixture = await withScript('echo x >> count; exit 1');
    for (let i = 0; i < 5; i += 1) await fixture.refusal();
    expect(readFileSync(join(fixture.home, 'count'), 'utf8')).toBe('x\n');
    fixture.clock.advance(2_000);
    await fixture.refusal();
    expect(readFileSync(join(fixture.home, 'count'), 'utf8')).toBe('x\nx\n');
  });

  test('does not keep whoever has gone waiting', async () => {
    const fixture = await withScript('sleep 600', { longestMs: 5_000 });
    const gone = AbortSignal.timeout(20);
    const error = await fixture.refusal({ signal: gone });
    expect(error.code).toBe('CredentialUnavailable');
  });

  test('a program that is not there is named to the operator', async () => {
    const fixture = await BrokerFixture.open(setup('gone:key'));
    await fixture.refusal();
    expect(fixture.trail.of('CredentialEvent::Failed')[0]?.data.message).toBe(
      'the command `./bin/missing` is not installed',
    );
  });
});

describe('a key of a command', () => {
  test.each([
    { key: 'a; rm -rf x', why: 'a second command' },
    { key: '$(touch pwned)', why: 'a substitution' },
    { key: '`touch pwned`', why: 'an old substitution' },
    { key: 'a|b', why: 'a pipe' },
    { key: 'a b', why: 'a blank' },
    { key: '../../etc/passwd', why: 'a way up' },
    { key: 'a/../b', why: 'a way up in the middle' },
    { key: '-rf', why: 'an option' },
    { key: '//-rf', why: 'an option after slashes' },
    { key: 'a*', why: 'a glob' },
    { key: 'ä', why: 'no ASCII' },
    { key: '{key}', why: 'the place itself' },
    { key: `${'a'.repeat(600)}`, why: 'too long' },
  ])('is refused before anything runs: $why', async ({ key }) => {
    const fixture = await BrokerFixture.open(setup(`arg:${key}`));
    fixture.write('bin/show', '#!/bin/sh\ntouch ran; echo value-of-something');
    chmodSync(join(fixture.home, 'bin/show'), 0o700);
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    expect(existsSync(join(fixture.home, 'ran')) || existsSync(join(fixture.home, 'pwned'))).toBe(false);
  });

  test('is one word of the command, which sees few variables and runs in the home', async () => {
    const fixture = await BrokerFixture.open(
      setup('bin:key', { env: { EXTRA: 'wanted', OTHER_SECRET: CANARY, SALLYPORT_HOME: 'x' } }),
    );
    fixture.write('bin/show', '#!/bin/sh\nenv > seen; pwd >> seen; echo "got-$#-$1"');
    chmodSync(join(fixture.home, 'bin/show'), 0o700);
    expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer got-1-key');
    const seen = readFileSync(join(fixture.home, 'seen'), 'utf8');
    expect(seen).toContain('EXTRA=wanted');
    expect(seen).not.toContain(CANARY);
    expect(seen).not.toContain('SALLYPORT_HOME');
    fixture.reload(setup('arg:a/b:c@d_e.f-g'));
    fixture.write('bin/show', '#!/bin/sh\necho "got-$1"');
    expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer got-before/a/b:c@d_e.f-g');
  });
});

test('`op://` asks the 1Password CLI, with what it logs in with', async () => {
  const fixture = await BrokerFixture.open(
    setup('op://dev/github/token', { env: { OP_SERVICE_ACCOUNT_TOKEN: 'ops-login' } }),
  );
  fixture.write(
    'path/op',
    '#!/bin/sh\n[ "$1 $2" = "read op://dev/github/token" ] && [ "$OP_SERVICE_ACCOUNT_TOKEN" = ops-login ] && echo op-value-1',
  );
  chmodSync(join(fixture.home, 'path/op'), 0o700);
  const named = setup('op://dev/github/token');
  fixture.reload({
    ...named,
    tenant: `${named.tenant?.replace(SOURCES, `sources: { op: { read: "${join(fixture.home, 'path/op')} read op://{key}", env: [OP_SERVICE_ACCOUNT_TOKEN], cache_ttl: 60 } }`)}`,
  });
  expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer op-value-1');
  fixture.clock.advance(60_000);
  await fixture.sent();
  expect(fixture.reads()).toHaveLength(2);
});

async function expectGone(pid: number): Promise<void> {
  await waitUntil(`the end of process ${pid}`, () => !isRunning(pid));
}

/** A zombie has ended; whoever inherits it reaps it some time. */
function isRunning(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
