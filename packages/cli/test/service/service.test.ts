import {
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { launcherFile } from '@sallyport/gateway/own-files';
import { tempDir } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runCli } from '../../src/commands/program.ts';
import { stablePlace } from '../../src/install/stable-place.ts';
import { launchdPlist, serviceName, systemdUnit } from '../../src/service/service-files.ts';
import { findServiceManager, type Machine } from '../../src/service/service-manager.ts';

/** A user with a service manager that notes what it is told. */
async function openMachine(platform: NodeJS.Platform, programs: Readonly<Record<string, string>>) {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const [bin, userHome, told] = [join(dir.path, 'bin'), join(dir.path, 'a home'), join(dir.path, 'told')];
  mkdirSync(bin);
  mkdirSync(userHome);
  writeFileSync(told, '');
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(bin, name), `#!/bin/sh\necho "${name} $*" >> '${told}'\n${script}\n`);
    chmodSync(join(bin, name), 0o755);
  }
  const machine: Machine = {
    platform,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: userHome },
    userHome,
    userId: 501,
  };
  const { node, program } = stablePlace(machine.env, userHome);
  const home = join(userHome, '.sallyport');
  const argv = [node, program, 'start', '--no-prompt', '--home', home];
  const spec = { home, isUsualHome: true, argv, log: join(home, 'gateway.log') };
  return {
    machine,
    spec,
    open: () => findServiceManager(machine, spec),
    told: () => readFileSync(told, 'utf8').trim().split('\n'),
  };
}

describe('systemd', () => {
  const SYSTEMCTL = 'case "$2" in is-active) echo active;; is-enabled) echo enabled;; esac';

  test('install writes the unit and starts it; remove takes both back', async () => {
    const fixture = await openMachine('linux', { systemctl: SYSTEMCTL });
    const manager = fixture.open();
    expect(manager.file).toBe(join(fixture.machine.userHome, '.config/systemd/user/sallyport.service'));
    manager.install();
    expect(readFileSync(manager.file, 'utf8')).toBe(systemdUnit(fixture.spec));
    expect(manager.state()).toEqual({ installed: true, running: true, enabled: true });
    expect(manager.remove()).toBe(true);
    expect(existsSync(manager.file)).toBe(false);
    expect(manager.remove()).toBe(false);
    expect(fixture.told()).toEqual([
      'systemctl --user show-environment',
      'systemctl --user daemon-reload',
      'systemctl --user enable sallyport.service',
      'systemctl --user restart sallyport.service',
      'systemctl --user is-active sallyport.service',
      'systemctl --user is-enabled sallyport.service',
      'systemctl --user disable --now sallyport.service',
      'systemctl --user daemon-reload',
    ]);
  });

  test('every word of the command reaches the gateway as it is', () => {
    const unit = systemdUnit({
      argv: ['/a b/node', '/x"y', '/50%', '/$HOME', '/back\\slash', '/two\nlines'],
    });
    expect(unit).toContain(
      'ExecStart="/a b/node" "/x\\"y" "/50%%" "/$$HOME" "/back\\\\slash" "/two\\nlines"\n',
    );
  });

  test('what systemctl refuses is said with its own words', async () => {
    const fixture = await openMachine('linux', {
      systemctl: '[ "$2" != enable ] || { echo "Access denied" >&2; exit 1; }',
    });
    expect(() => fixture.open().install()).toThrow(
      /systemctl --user enable sallyport.service` failed: Access denied/,
    );
  });

  test('without a service manager there is one sentence, and what to do instead', async () => {
    const fixture = await openMachine('linux', { systemctl: 'exit 1' });
    expect(() => fixture.open()).toThrow(
      expect.objectContaining({
        code: 'ToolMissing',
        message: expect.stringContaining('there is no service manager'),
        hint: expect.stringContaining('sallyport start --detach'),
      }),
    );
  });

  test('the service of another home has another name', () => {
    expect(serviceName({ home: '/a', isUsualHome: true })).toBe('sallyport');
    expect(serviceName({ home: '/b', isUsualHome: false })).toMatch(/^sallyport-[0-9a-f]{8}$/);
  });
});

describe('launchd', () => {
  test('install writes the agent and loads it, again after it was unloaded; remove takes both back', async () => {
    const fixture = await openMachine('darwin', { launchctl: 'echo "state = running"' });
    const manager = fixture.open();
    manager.install();
    expect(readFileSync(manager.file, 'utf8')).toBe(launchdPlist(fixture.spec));
    expect(manager.state()).toEqual({ installed: true, running: true, enabled: true });
    expect(manager.remove()).toBe(true);
    expect(existsSync(manager.file)).toBe(false);
    const label = 'gui/501/dev.sallyport.sallyport';
    expect(fixture.told()).toEqual([
      `launchctl print ${label}`,
      `launchctl bootout ${label}`,
      `launchctl bootstrap gui/501 ${manager.file}`,
      `launchctl print ${label}`,
      `launchctl print ${label}`,
      `launchctl bootout ${label}`,
    ]);
  });

  test('a path is a text of XML', () => {
    const plist = launchdPlist({ home: '/h', isUsualHome: true, argv: ['/a<b>&c'], log: '/l' });
    expect(plist).toContain('<string>/a&lt;b&gt;&amp;c</string>');
  });
});

test('`service install` puts paths into the unit that survive an upgrade and a move', async () => {
  const fixture = await openMachine('linux', { systemctl: '[ "$2" != is-active ] || echo inactive' });
  const { userHome, env } = fixture.machine;
  const stderr = new PassThrough();
  const code = await runCli({
    argv: ['service', 'install'],
    env,
    streams: { stdout: new PassThrough(), stderr },
    signal: AbortSignal.timeout(60_000),
  });
  expect(code, String(stderr.read())).toBe(0);
  const place = stablePlace({}, userHome);
  const unit = readFileSync(join(userHome, '.config/systemd/user/sallyport.service'), 'utf8');
  expect(unit).toContain(`ExecStart="${place.node}" "${place.program}" "start"`);
  expect(readlinkSync(place.node)).toBe(realpathSync(process.execPath));
  expect(readlinkSync(place.program)).toBe(launcherFile());
});
