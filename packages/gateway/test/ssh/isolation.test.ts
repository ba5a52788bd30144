import { readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireEngine, waitFor } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandPrefix } from '../../src/executors/command/command-executor.ts';
import { openSsh, type SshPlace } from './ssh-fixture.ts';

const needs = requireEngine('bubblewrap', 'ssh');

/** What a hostile or broken program does, by its third word. */
const GH = `
case "$3" in
  token) echo "t=$GH_TOKEN"; printf '%s' "$GH_TOKEN" | base64; cat /proc/1/environ /proc/*/environ 2>/dev/null | tr '\\0' '\\n';;
  look) ls /root /home /work; cat ~/.ssh/* ${'"'}$GATEWAY_HOME${'"'}/operator.token; ls -A "$HOME";;
  hang) trap '' TERM INT HUP; echo begun; while :; do sleep 0.1; done;;
  fork) (trap '' TERM HUP; sleep 600 & sleep 600 &) >/dev/null 2>&1; setsid sleep 601 & echo forked;;
  flood) exec yes;;
  read) exec cat;;
  write) echo x > left-behind; echo x > "$HOME/left-behind"; echo written;;
  net) for at in http://1.1.1.1 https://example.net; do curl -s -m 5 -o /dev/null -w '%{http_code} %{http_connect}\\n' "$at"; done; curl -s -m 2 --noproxy '*' http://127.0.0.1:1 || echo "no other way";;
esac
`;
const SECRET = 'ghp_0123456789abcdefghijklmnopqrstuvwxyz';

describe.skipIf(needs.missing)(`a command at the SSH door (${needs.install})`, () => {
  let place: SshPlace;
  beforeAll(async () => {
    place = await openSsh(
      {
        credentials: '{ "github:me": { kind: github_pat, source: "env:GH_SECRET" } }',
        lent: ['github:me'],
        exceptions: ['*'],
        more: 'ssh: { timeout_seconds: 4 }',
      },
      { gh: GH },
      { GH_SECRET: SECRET },
    );
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** Processes of this machine whose command line or environment holds the text. */
  function processesWith(text: string): readonly string[] {
    return readdirSync('/proc').filter((entry) => {
      if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return false;
      return ['cmdline', 'environ'].some((file) => {
        try {
          return readFileSync(`/proc/${entry}/${file}`, 'latin1').includes(text);
        } catch {
          return false;
        }
      });
    });
  }
  const folders = () =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(commandPrefix(place.gateway.home)));

  test('[SS-3] a lent secret is in one process tree, not in the output, and gone with it', async () => {
    const ran = await place.ssh('gh search repos token --creds github:me');
    expect(ran.code).toBe(0);
    expect(ran.stdout).toContain(`t=${'*'.repeat(SECRET.length)}`);
    expect(ran.stdout).not.toContain(SECRET);
    expect(ran.stdout).not.toContain(Buffer.from(SECRET).toString('base64').slice(0, 40));
    expect(processesWith(SECRET)).toEqual([]);
    expect(folders()).toEqual([]);
    const trail = await place.gateway.operator('/v1/audit/events?limit=100');
    expect(trail.text).toContain('github:me');
    expect(trail.text).not.toContain(SECRET);
    expect(place.gateway.log.join('\n')).not.toContain(SECRET);
  });

  test('[SS-3] leaves no file behind', async () => {
    expect((await place.ssh('gh search repos write')).stdout).toBe('written\n');
    expect(folders()).toEqual([]);
    expect((await place.ssh('gh search repos look')).stdout).not.toContain('left-behind');
  });

  test('sees nothing of the machine, and has no way out but to its hosts', async () => {
    const looked = await place.ssh('gh search repos look');
    expect(looked.stdout.trim()).toBe('/work:');
    const net = await place.ssh('gh search repos net');
    expect(net.stdout).toBe('403 000\n000 403\nno other way\n');
  });

  test('a program that hangs and ignores signals is killed when its client leaves', async () => {
    const started = place.start('gh search repos hang', { isOpen: true });
    await waitFor('its first line', () => expect(started.stdout()).toContain('begun'));
    started.child.kill('SIGKILL');
    await waitFor('its end', () => expect(folders()).toEqual([]));
    expect(processesWith('repos\x00hang')).toEqual([]);
  });

  test('one that hangs for too long is killed, and its client told', async () => {
    const ran = await place.ssh('gh search repos hang');
    expect(ran.stderr).toContain('took too long');
    expect(ran.code).not.toBe(0);
    expect(processesWith('repos\x00hang')).toEqual([]);
  });

  test('what it leaves in the background ends with it', async () => {
    const ran = await place.ssh('gh search repos fork');
    expect(ran).toMatchObject({ code: 0, stdout: 'forked\n' });
    expect(processesWith('sleep\x00600')).toEqual([]);
    expect(processesWith('sleep\x00601')).toEqual([]);
  });

  test('a flood waits for a client that does not read, and memory stays flat', async () => {
    const started = place.start('gh search repos flood', { isOpen: true });
    started.child.stdout?.pause();
    await waitFor('a full pipe', () => expect(started.child.stdout?.readableLength).toBeGreaterThan(1_000));
    const before = process.memoryUsage().rss;
    const ran = started.ended;
    await waitFor('its end', () => expect(folders()).toEqual([]));
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 1024 ** 2);
    started.child.kill('SIGKILL');
    started.child.stdout?.resume();
    await ran;
  });

  test('one that reads for ever ends with its input, or with its client', async () => {
    expect(await place.ssh('gh search repos read', { input: 'all of it' })).toMatchObject({
      code: 0,
      stdout: 'all of it',
    });
    const started = place.start('gh search repos read', { isOpen: true });
    started.child.stdin?.write('some of it\n');
    await waitFor('its echo', () => expect(started.stdout()).toContain('some'));
    started.child.kill('SIGTERM');
    await waitFor('its end', () => expect(folders()).toEqual([]));
  });

  test('the files of the host are where they were', () => {
    expect(readdirSync(join(place.dir.path))).not.toContain('left-behind');
  });
});
