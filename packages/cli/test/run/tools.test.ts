import { execFileSync } from 'node:child_process';
import { lookup } from 'node:dns/promises';
import { readFileSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { OUTSIDE, openRunFixture, type RunFixture } from './run-fixture.ts';

const bwrap = requireEngine('bubblewrap', 'curl');
const pip = requireEngine('pip');
const git = requireEngine('git');

describe.skipIf(bwrap.missing)(`programs in a jail, with nothing set up for them (${bwrap.install})`, () => {
  let fixture: RunFixture;
  beforeAll(async () => {
    fixture = await openRunFixture({ network: `  rules: [{ host: "${OUTSIDE}", action: allow }]` });
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test('curl reaches a host that the policy allows, and the gateway vouches for it', async () => {
    const ended = await fixture.shell(`curl -sS ${fixture.upstream.url}/from-curl`);
    expect(ended).toMatchObject({ code: 0, stdout: '{"ok":true}' });
    expect(fixture.upstream.requests.map(({ url }) => url)).toContain('/from-curl');
  });

  test.each([
    ['Node’s fetch', (url: string) => `"$NODE" -e 'fetch("${url}").then((r) => r.text()).then(console.log)'`],
    [
      'Node’s https',
      (url: string) =>
        `"$NODE" -e 'require("https").get("${url}", (r) => r.on("data", (d) => console.log(String(d))))'`,
    ],
  ])('%s goes through the proxy', async (_name, script) => {
    // The machine's own Node may be one that knows no proxy.
    const node = process.execPath;
    const ended = await fixture.shell(`NODE=${node}; ${script(`${fixture.upstream.url}/from-node`)}`, [
      '--read',
      node,
    ]);
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: '{"ok":true}\n' });
  });

  test.skipIf(pip.missing)(`Python’s urllib and requests go through the proxy (${pip.install})`, async () => {
    const url = `${fixture.upstream.url}/from-python`;
    // pip brings the real `requests` along.
    const ended = await fixture.shell(
      `/usr/bin/python3 -c 'import urllib.request as u; print(u.urlopen("${url}").status)
from pip._vendor import requests; print(requests.get("${url}").status_code)'`,
    );
    expect(ended, ended.stderr).toMatchObject({ code: 0, stdout: '200\n200\n' });
  });

  test.skipIf(git.missing)(
    `git speaks HTTPS to a remote that was written for SSH (${git.install})`,
    async () => {
      const git = (...words: string[]) => execFileSync('git', ['-C', fixture.workspace, ...words]);
      git('init', '-q', '.');
      git('remote', 'add', 'origin', `git@${OUTSIDE}:acme/app.git`);
      const ended = await fixture.shell('git ls-remote origin; git config user.name', ['--json']);
      expect(ended.stdout).toBe('Ana\n');
      // Nobody listens on 443 there; that it was tried is what shows the way.
      expect(ended.summary().hosts).toEqual([{ host: OUTSIDE, reads: 1, writes: 0, refused: 0 }]);
    },
  );
});

describe.skipIf(bwrap.missing)(`packages in a jail (${bwrap.install})`, () => {
  test('npm installs from a registry that the project names', async () => {
    const tarball = packTarball();
    // By name: npm asks for no certificate of an address when it goes through a proxy.
    const { address } = await lookup(hostname(), 4);
    await using fixture = await openRunFixture({
      host: address,
      names: [hostname()],
      network: `  rules: [{ host: "${hostname()}", action: allow }]`,
      handler(request, response) {
        const host = request.headers.host ?? '';
        if (request.url?.endsWith('.tgz')) response.end(tarball);
        else response.end(JSON.stringify(packument(`https://${host}/tiny/-/tiny-1.0.0.tgz`)));
      },
    });
    writeFileSync(
      join(fixture.workspace, '.npmrc'),
      `registry=https://${hostname()}:${fixture.upstream.port}/\n`,
    );
    writeFileSync(join(fixture.workspace, 'package.json'), '{"name":"app","version":"1.0.0"}');
    const ended = await fixture.shell('npm install --no-audit --no-fund tiny 2>&1');
    expect(ended, ended.stdout).toMatchObject({ code: 0 });
    expect(readFileSync(join(fixture.workspace, 'node_modules/tiny/index.js'), 'utf8')).toBe('tiny');
  });

  test.skipIf(pip.missing)(
    `pip downloads from an index that the command names (${pip.install})`,
    async () => {
      await using fixture = await openRunFixture({
        network: `  rules: [{ host: "${OUTSIDE}", action: allow }]`,
        handler(request, response) {
          if (request.url === '/simple/tiny/') {
            response.setHeader('content-type', 'text/html');
            response.end('<a href="/files/tiny-1.0-py3-none-any.whl">tiny-1.0-py3-none-any.whl</a>');
          } else response.end(wheel());
        },
      });
      const index = `${fixture.upstream.url}/simple/`;
      const ended = await fixture.shell(
        `/usr/bin/python3 -m pip download -q --no-deps --disable-pip-version-check --index-url ${index} tiny 2>&1 && ls *.whl`,
      );
      expect(ended, ended.stdout).toMatchObject({ code: 0, stdout: 'tiny-1.0-py3-none-any.whl\n' });
    },
  );
});

function packument(tarball: string) {
  const version = { name: 'tiny', version: '1.0.0', dist: { tarball } };
  return { name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } };
}

function packTarball(): Buffer {
  return execFileSync('bash', [
    '-c',
    'd=$(mktemp -d); mkdir "$d/package"; printf tiny >"$d/package/index.js"; printf \'{"name":"tiny","version":"1.0.0"}\' >"$d/package/package.json"; tar -C "$d" -cz package; rm -r "$d"',
  ]);
}

function wheel(): Buffer {
  const script = `import io, sys, zipfile
b = io.BytesIO()
z = zipfile.ZipFile(b, 'w')
z.writestr('tiny.py', '')
z.writestr('tiny-1.0.dist-info/METADATA', 'Metadata-Version: 2.1\\nName: tiny\\nVersion: 1.0\\n')
z.writestr('tiny-1.0.dist-info/WHEEL', 'Wheel-Version: 1.0\\nGenerator: t\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
z.writestr('tiny-1.0.dist-info/RECORD', '')
z.close()
sys.stdout.buffer.write(b.getvalue())`;
  return execFileSync('python3', ['-c', script]);
}
