import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { requireEngine, tempDir } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';

const needs = requireEngine('bubblewrap', 'curl', 'git');
const root = resolve(import.meta.dirname, '../../../..');
const PROGRAM = join(root, 'packages/cli/bin/sallyport.js');
const page = readFileSync(join(root, 'docs/tutorial.md'), 'utf8');

/** The commands of the page, section by section, as they stand there. */
function sections(): readonly { readonly title: string; readonly script: string }[] {
  return page
    .split(/^## /m)
    .slice(1)
    .map((section) => ({
      title: section.slice(0, section.indexOf('\n')),
      script: [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, script]) => script).join('\n'),
    }))
    .filter(({ script }) => script !== '');
}

describe.skipIf(needs.missing)(`the tutorial (${needs.install})`, () => {
  test('does what it says, command by command', async () => {
    await using dir = await tempDir();
    const [home, bin] = [join(dir.path, 'ana'), join(dir.path, 'bin')];
    mkdirSync(home);
    mkdirSync(bin);
    // Any free port in place of the usual ones, which may be taken here.
    const ports = '--api-port 0 --proxy-port 0 --operator-port 0 --ssh-port 0';
    const shim = join(bin, 'sallyport');
    writeFileSync(
      shim,
      `#!/bin/sh\n[ "$1" = start ] && set -- "$@" ${ports}\nexec '${process.execPath}' '${PROGRAM}' "$@"\n`,
    );
    chmodSync(shim, 0o755);
    const marked = sections().map(({ title, script }) => `echo "## ${title}"\n${script}`);
    // The reader waits by looking; a slow machine by asking until it is there.
    const wait = 'until sallyport pending | grep -q example.com; do sleep 0.2; done';
    const script = `set -e\n${marked.join('\n')}`.replace('sleep 3', wait);
    const env = {
      ...{
        HOME: home,
        PATH: `${bin}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
        TERM: 'dumb',
      },
      XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    };
    const said = await new Promise<string>((done) => {
      execFile(
        '/bin/bash',
        ['--norc', '-c', script],
        { env, cwd: home, timeout: 200_000 },
        (error, out, trouble) =>
          done(`${out}${trouble}${error === null ? '' : `\nEXIT ${error.code}\n${trouble}`}`),
      );
    });
    const part = (number: number): string => said.split(/^## /m)[number] ?? said;
    expect(said).not.toContain('EXIT');
    expect(part(1)).toContain('running');
    expect(part(2)).toContain('written by the agent');
    expect(part(2)).not.toMatch(/^[0-9a-f]{32}/m);
    expect(part(3)).toMatch(/POST example\.com[\s\S]*is denied/);
    expect(part(5)).toContain('demo');
    expect(part(5)).toMatch(/^0$/m);
    expect(part(6)).toMatch(/allow[\s\S]*deny/i);
    expect(part(7)).toMatch(/ruined\.txt[\s\S]*written by me/);
    expect(part(8)).toMatch(/POST example\.com[\s\S]*whole/);
  });
});
