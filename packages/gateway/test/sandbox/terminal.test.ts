import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type JailHost, startJailHost } from './jail-fixture.ts';

const bwrap = requireEngine('bubblewrap');
/** Runs a shell line in a terminal of its own, with `$JAIL` starting a jail with `command`; gives back the screen. */
function inTerminal(host: JailHost, command: readonly [string, ...string[]], line: string): string {
  const spec = JSON.stringify(host.spec({ command, tty: true }));
  const { stdout } = spawnSync('/usr/bin/script', ['-qec', line, '/dev/null'], {
    env: {
      ...process.env,
      SHELL: '/bin/sh',
      NODE: process.execPath,
      LAUNCHER: join(import.meta.dirname, 'launcher.ts'),
      SPEC: spec,
    },
    encoding: 'utf8',
    timeout: 60_000,
  });
  return stdout.replaceAll('\r', '');
}

const RUN = '"$NODE" "$LAUNCHER" "$SPEC"';

describe.skipIf(bwrap.missing)(`a jail with a terminal (${bwrap.install})`, () => {
  let host: JailHost;
  beforeAll(async () => {
    host = await startJailHost();
  });
  afterAll(() => host[Symbol.asyncDispose]());

  test('[JA-4] `kill 0` inside reaches nobody outside', () => {
    const screen = inTerminal(host, ['sh', '-c', 'kill -9 0'], `${RUN}; echo "caller lives: $?"`);
    expect(screen).toContain('caller lives: 137');
  });

  test('is the foreground job of the terminal, and gives it back', () => {
    const screen = inTerminal(
      host,
      [
        'perl',
        '-MPOSIX',
        '-e',
        'print -t STDIN ? "tty " : "no tty ", tcgetpgrp(0) == getpgrp() ? "front\\n" : "back\\n"; exit 7',
      ],
      `${RUN}; echo "code $?"; perl -MPOSIX -e 'print tcgetpgrp(0) == getpgrp() ? "mine again\\n" : "lost\\n"'`,
    );
    expect(screen).toContain('tty front');
    expect(screen).toContain('code 7');
    expect(screen).toContain('mine again');
  });

  test('[JA-4] nothing can be typed into the terminal', () => {
    const type = `perl -e 'my $c = "x"; print ioctl(STDIN, 0x5412, $c) ? "TYPED\\n" : "refused: $!\\n"'`;
    const screen = inTerminal(host, ['sh', '-c', type], RUN);
    expect(screen).toContain('refused: Operation not permitted');
    expect(screen).not.toContain('TYPED');
  });
});
