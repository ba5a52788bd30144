import { readdirSync } from 'node:fs';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSubprocess } from './backends.ts';
import { batchOutputs, batchScript } from './batch.ts';
import { BOMB_LIMITS, BOMBS } from './escapes/bombs.ts';
import type { Escape } from './escapes/escape.ts';
import { FILE_ESCAPES } from './escapes/files.ts';
import { NETWORK_ESCAPES } from './escapes/network.ts';
import { PROCESS_ESCAPES } from './escapes/processes.ts';
import { type JailHost, NOBODY, startJailHost } from './jail-fixture.ts';

const bwrap = requireEngine('bubblewrap');
const ESCAPES: readonly Escape[] = [...FILE_ESCAPES, ...NETWORK_ESCAPES, ...PROCESS_ESCAPES];
const number = (escapes: readonly Escape[]): (Escape & { row: number })[] =>
  escapes.map((one, row) => ({ ...one, row }));

describe.skipIf(bwrap.missing).each([
  { who: 'the user of this test', user: undefined },
  // Whoever runs the tests as root also sees how the jail of an ordinary user does.
  ...(process.getuid?.() === 0 ? [{ who: 'an ordinary user', user: NOBODY }] : []),
])(`[JA-1, JA-2, JA-3, JA-4] out of the jail of $who (${bwrap.install})`, ({ user }) => {
  let host: JailHost;
  let outputs: readonly (string | undefined)[];
  beforeAll(async () => {
    host = await startJailHost(user);
    const { output } = await host.run(batchScript(ESCAPES, host.places));
    outputs = batchOutputs(output, ESCAPES.length);
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test.each(number(ESCAPES))('[$id] $why', ({ row }) => {
    // Undefined would be an attempt that was not made: no proof.
    expect(outputs[row]).toBeDefined();
    expect(outputs[row]).not.toContain('ESCAPED');
  });

  test('[JA-3] the folder beside the workspace is as it was', () => {
    expect(readdirSync(host.places.beside)).toEqual([]);
  });

  test('the way out that is meant to be there is there', async () => {
    const { output } = await host.run('exec 3<>/dev/tcp/127.0.0.1/7181 && cat <&3');
    expect(output).toBe('gateway\n');
  });
});

describe
  .skipIf(bwrap.missing)
  .each([
    { groups: true, user: undefined, where: 'with a control group' },
    { groups: false, user: undefined, where: 'without any control group' },
    ...(process.getuid?.() === 0
      ? [{ groups: false, user: NOBODY, where: 'of an ordinary user without one' }]
      : []),
  ])(`[JA-5] bombs in a jail $where (${bwrap.install})`, ({ groups, user }) => {
  let host: JailHost;
  beforeAll(async () => {
    host = await startJailHost(user);
  });
  afterAll(() => host[Symbol.asyncDispose]());

  // Root without a control group: the kernel counts no processes for root. docs/sandbox.md says so.
  const uncounted = !groups && user === undefined && process.getuid?.() === 0;
  const rows = BOMBS.filter(({ needs }) => needs !== 'group' || groups).filter(
    ({ needs }) => needs !== 'counting' || !uncounted,
  );
  test.each(rows)('[$id] $why', async ({ script }) => {
    // A home outside of /tmp, as people have it: a folder of memory of its own.
    const home = '/home/agent';
    const over = {
      ...{ limits: BOMB_LIMITS, sockets: [], home: { path: home, files: [] } },
      env: { PATH: '/usr/bin:/bin', HOME: home },
    };
    const { output } = await host.run(`echo TRYING; { ${script(host.places)}; } 2>&1`, over, { groups });
    expect(output).toMatch(/^TRYING\n/);
    expect(output).not.toContain('ESCAPED');
  });
});

// What `subprocess` does not stop: also the proof that each of these attempts is a real one.
describe('out of subprocess, which is no boundary', () => {
  const real = [...ESCAPES, ...BOMBS].filter(({ outside }) => outside);
  const backend = openSubprocess();
  let outputs: readonly (string | undefined)[];
  beforeAll(async () => {
    await using host = await startJailHost();
    const sandbox = await backend.acquire('agent', { workspace: host.places.workspace });
    const { stdout } = await sandbox.exec(['bash', '-c', batchScript(real, host.places)]);
    outputs = batchOutputs(stdout, real.length);
  });
  afterAll(() => backend.cleanup());

  test.each(number(real))('gets out: $why', ({ row }) => {
    expect(outputs[row]).toContain('ESCAPED');
  });
});
