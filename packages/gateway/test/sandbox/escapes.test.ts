import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { NO_BWRAP, openSubprocess } from './backends.ts';
import { BOMB_LIMITS, BOMBS } from './escapes/bombs.ts';
import type { Escape } from './escapes/escape.ts';
import { FILE_ESCAPES } from './escapes/files.ts';
import { NETWORK_ESCAPES } from './escapes/network.ts';
import { PROCESS_ESCAPES } from './escapes/processes.ts';
import { type JailHost, startJailHost } from './jail-fixture.ts';

const ESCAPES: readonly Escape[] = [...FILE_ESCAPES, ...NETWORK_ESCAPES, ...PROCESS_ESCAPES];

/** The script ran from its first to its last line: a jail that does not start proves nothing. */
const whole = (script: string): string => `echo TRYING\n{\n${script}\n} 2>&1\necho TRIED`;

describe.skipIf(NO_BWRAP)('out of the jail', () => {
  let host: JailHost;
  beforeAll(async () => {
    host = await startJailHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test.each(ESCAPES)('[$id] $why', async ({ id, script }) => {
    // Without sockets there is no forwarder to wait for; for ways out by network it has to be there.
    const { output } = await host.run(whole(script(host.places)), id === 'JA-1' ? {} : { sockets: [] });
    expect(output).toMatch(/^TRYING\n[\s\S]*TRIED\n$/);
    expect(output).not.toContain('ESCAPED');
    expect(readdirSync(host.places.beside)).toEqual([]);
  });

  test.each(BOMBS)('[$id] $why', async ({ script }) => {
    const { output } = await host.run(whole(script(host.places)), { limits: BOMB_LIMITS, sockets: [] });
    expect(output).toMatch(/^TRYING\n/);
    expect(output).not.toContain('ESCAPED');
  });

  test('the way out that is meant to be there is there', async () => {
    const { output } = await host.run('exec 3<>/dev/tcp/127.0.0.1/7181 && cat <&3');
    expect(output).toBe('gateway\n');
  });
});

// What `subprocess` does not stop: also the proof that each of these attempts is a real one.
describe('out of subprocess, which is no boundary', () => {
  const backend = openSubprocess();
  afterAll(() => backend.cleanup());

  test.each([...ESCAPES, ...BOMBS].filter(({ outside }) => outside))('gets out: $why', async ({ script }) => {
    await using host = await startJailHost();
    const sandbox = await backend.acquire('agent', { workspace: host.places.workspace });
    const { stdout } = await sandbox.exec(['bash', '-c', whole(script(host.places))]);
    expect(stdout).toContain('ESCAPED');
  });
});
