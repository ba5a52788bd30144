import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { listenOnFreePort, startTestGateway, type TestGateway, tempDir } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Place, type Ran, runOn } from '../run-command.ts';

const PROGRAM = join(import.meta.dirname, '../../bin/sallyport.js');

let gateway: TestGateway;
let empty: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  gateway = await startTestGateway();
  empty = await tempDir();
});
afterAll(async () => {
  await gateway.close();
  await empty.remove();
});

/** What the person sees, without what differs each time. */
function seen({ stdout, stderr }: Ran): string {
  return `${stdout}${stderr}`
    .replaceAll(gateway.home, 'HOME')
    .replaceAll(empty.path, 'EMPTY')
    .replace(/npx sallyport/g, 'sallyport')
    .replace(/127\.0\.0\.1:\d+|port \d+/g, 'PORT');
}

describe('an ordinary mistake is one clear answer', () => {
  const cases: readonly (Place & { why: string; argv: readonly string[]; isEmpty?: boolean })[] = [
    { why: 'no gateway is running', argv: ['status'], isEmpty: true },
    { why: 'a command that there is none of', argv: ['aprove'] },
    { why: 'a flag that there is none of', argv: ['pending', '--tenat', 'x'] },
    { why: 'an id is missing', argv: ['sessions', 'end'] },
    { why: 'an id that nothing has', argv: ['approve', 'appr_zzzz'] },
    { why: 'an id of another kind', argv: ['sessions', 'end', 'appr_01'] },
    { why: 'nothing waits', argv: ['approve'] },
    { why: 'a time without a unit', argv: ['approve', 'appr_zzzz', '--for', '15'] },
    { why: 'two answers at once', argv: ['approve', 'appr_zzzz', '--session', '--always'] },
    { why: 'a port that is none', argv: ['start', '--api-port', 'x'] },
    { why: 'a grant that there is none of', argv: ['grants', 'revoke', 'grant_zzzz'] },
    { why: 'a terminal of 40 columns', argv: ['status', '--nope'], columns: 40 },
    { why: 'TERM=dumb', argv: ['aprove'], columns: 80, env: { TERM: 'dumb', NO_COLOR: undefined } },
    { why: 'an empty NO_COLOR', argv: ['aprove'], columns: 80, env: { NO_COLOR: '' } },
  ];

  test.each(cases)('$why', async ({ argv, isEmpty = false, ...place }) => {
    const ran = await runOn(place, isEmpty ? empty.path : gateway.home, ...argv);
    expect(ran.code).not.toBe(0);
    expect(ran.stderr).toMatch(/^error: .+\n/);
    expect(ran.stderr).toMatch(/^ {2}try: sallyport |^ {2}try: npx sallyport /m);
    expect(ran.stderr).not.toMatch(/\n\s+at /);
    expect(ran.stderr).not.toContain('\u001b');
    expect(seen(ran)).toMatchSnapshot();
  });

  test('a config key that there is none of', async () => {
    const file = join(empty.path, 'broken.yaml');
    writeFileSync(file, 'tenants:\n  default:\n    mod: strict\n');
    const ran = await runOn({ columns: 80 }, gateway.home, 'config', 'check', file);
    expect(ran.code).toBe(1);
    expect(seen(ran)).toContain('EMPTY/broken.yaml:3:5');
    expect(seen(ran)).toMatch(/mod[\s\S]*mode/);
  });

  test('a port that is taken', async () => {
    const other = createServer();
    const port = await listenOnFreePort(other);
    const argv = [
      'start',
      '--no-prompt',
      '--api-port',
      String(port),
      '--proxy-port',
      '0',
      '--operator-port',
      '0',
      '--ssh-port',
      '0',
    ];
    const ran = await runOn({}, join(empty.path, 'gate'), ...argv);
    other.close();
    expect(ran.code).toBe(1);
    expect(ran.stderr).toMatch(/^error: .*in use|^error: .*taken/m);
    expect(ran.stderr).toContain('--api-port');
  });

  test('a pipe that closes is no error', async () => {
    const script = `'${process.execPath}' '${PROGRAM}' audit export | head -n 1 | wc -l`;
    const env = { SALLYPORT_HOME: gateway.home, PATH: '/usr/bin:/bin' };
    const said = await new Promise<string>((done) => {
      execFile('/bin/bash', ['--norc', '-o', 'pipefail', '-c', script], { env }, (_error, out, trouble) =>
        done(out + trouble),
      );
    });
    expect(said.trim()).toBe('1');
  });
});
