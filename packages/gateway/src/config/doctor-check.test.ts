import { once } from 'node:events';
import { chmodSync, chownSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type DoctorCheck, type DoctorContext, runDoctor } from './doctor-check.ts';
import { groundDoctorChecks, judgeDiskSpace, judgeNodeVersion } from './ground-doctor-checks.ts';
import { resolveHome } from './home.ts';
import { writeFiles } from './load-config.fixture.ts';

function context(home: string): DoctorContext {
  return {
    paths: resolveHome({ SALLYPORT_HOME: home }),
    env: {},
    configChecks: [],
    signal: new AbortController().signal,
  };
}

function groundCheck(id: string): readonly DoctorCheck[] {
  return groundDoctorChecks.filter((check) => check.id === id);
}

describe('the doctor', () => {
  test('reports every check in order, also one that throws and one that hangs', async () => {
    const checks: readonly DoctorCheck[] = [
      { id: 'a.hangs', title: 'hangs', run: () => new Promise(() => {}) },
      { id: 'b.ok', title: 'fine', run: async () => ({ status: 'ok', message: 'good' }) },
      {
        id: 'c.throws',
        title: 'throws',
        run: () => {
          throw Object.assign(new Error('the token is hunter2'), { code: 'EIO' });
        },
      },
    ];
    expect(await runDoctor(checks, context(writeFiles({})), 20)).toEqual([
      { id: 'a.hangs', title: 'hangs', status: 'fail', message: 'the check did not end in time' },
      { id: 'b.ok', title: 'fine', status: 'ok', message: 'good' },
      { id: 'c.throws', title: 'throws', status: 'fail', message: 'the check itself failed (EIO)' },
    ]);
  });

  test('finds nothing wrong with a home that does not exist yet', async () => {
    const reports = await runDoctor(groundDoctorChecks, context(join(writeFiles({}), 'new')));
    expect(reports.map(({ id }) => id)).toEqual([
      'ground.node',
      'ground.home',
      'ground.config',
      'ground.files',
      'ground.ports',
      'ground.disk',
      'ground.unconfined',
    ]);
    // Somebody's gateway may run on this machine.
    const others = reports.filter(({ id }) => id !== 'ground.ports');
    expect(others.filter(({ status }) => status === 'fail')).toEqual([]);
  });

  test('tells a port that another program has, and which setting it is', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo; // it listens on an address
    const home = writeFiles({
      'sallyport.yaml': `api: { ports: { api: 0, operator: 0, ssh: 0, proxy: ${port} } }\n`,
    });
    const [check] = await runDoctor(groundCheck('ground.ports'), context(home));
    server.close();
    expect(check).toMatchObject({
      status: 'fail',
      message: expect.stringContaining(`another program has port ${port}`),
      fix: expect.stringContaining('--proxy-port'),
    });
  });

  test('looks at who may use the home', async () => {
    const home = writeFiles({});
    const [check] = await runDoctor(groundCheck('ground.home'), context(home));
    expect(check?.status).toBe('ok');
    chmodSync(home, 0o755);
    const [readable] = await runDoctor(groundCheck('ground.home'), context(home));
    expect(readable).toMatchObject({ status: 'warn', fix: `chmod 700 ${home}` });
    chmodSync(home, 0o777);
    const [writable] = await runDoctor(groundCheck('ground.home'), context(home));
    expect(writable).toMatchObject({ status: 'fail', message: `others may write to \`${home}\`` });
  });

  test('finds what the gateway would find in the config', async () => {
    const good = writeFiles({ 'sallyport.yaml': 'log: {}' });
    expect((await runDoctor(groundCheck('ground.config'), context(good)))[0]?.status).toBe('ok');
    const warning = { severity: 'warning', path: [], message: 'hm', hint: 'do it' } as const;
    const [doubtful] = await runDoctor(groundCheck('ground.config'), {
      ...context(good),
      configChecks: [() => [warning]],
    });
    expect(doubtful).toMatchObject({ status: 'warn', message: 'hm', fix: 'do it' });
    const bad = writeFiles({ 'sallyport.yaml': 'lgo: {}' });
    const [broken] = await runDoctor(groundCheck('ground.config'), context(bad));
    expect(broken?.status).toBe('fail');
    expect(broken?.message).toMatch(/sallyport.yaml:1:1: unknown key `lgo`$/);
  });

  test('warns when agents would run as the owner of the home', async () => {
    const home = writeFiles({});
    const [own] = await runDoctor(groundCheck('ground.unconfined'), context(home));
    expect(own).toMatchObject({ status: 'warn' });
    const others = process.getuid?.() === 0 ? home : '/';
    if (others === home) chownSync(home, 12_345, 12_345);
    const [foreign] = await runDoctor(groundCheck('ground.unconfined'), context(others));
    expect(foreign).toMatchObject({ status: 'ok' });
  });
});

test.each([
  { version: '26.0.0', status: 'ok' },
  { version: 'v27.1.0', status: 'ok' },
  { version: '24.9.0', status: 'fail' },
  { version: '8.0.0', status: 'fail' },
  { version: 'nonsense', status: 'fail' },
])('Node $version is $status', ({ version, status }) => {
  expect(judgeNodeVersion(version).status).toBe(status);
});

test.each([
  { freeMb: 5_000, status: 'ok' },
  { freeMb: 1_023, status: 'warn' },
  { freeMb: 99, status: 'fail' },
  { freeMb: 0, status: 'fail' },
])('$freeMb MB free is $status', ({ freeMb, status }) => {
  expect(judgeDiskSpace(freeMb).status).toBe(status);
});
