import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action } from '@sallyport/protocol';
import { afterAll, describe, expect, test } from 'vitest';
import { loadActionBuilders, workspaceOf } from '../../src/actions/index.ts';
import { policyOf, short, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { judge } from '../../src/gate/index.ts';
import { CLOSED_FORMS, MAYBE_CLOSED } from './closed-lines.ts';
import { CLOSED_PROGRAMS } from './closed-programs.ts';
import { OPEN } from './open-lines.ts';

const builder = (await loadActionBuilders())();
// What a first config allows: everything here, and a question for what leaves the machine.
const CONFIG = { agents: { dev: { permissions: ['allow:*'] } }, network: { default: 'ask' } };
type Confinement = Action['actor']['confinement'];

interface Machine {
  readonly cwd: string;
  readonly home: string;
  readonly closed: string;
  /** no file is looked at */
  readonly imagined?: boolean;
}
const ANA: Machine = { cwd: '/repo/app', home: '/home/ana', closed: '/home/ana/.sallyport', imagined: true };

function call(tool: string, input: Action['input'], confinement: Confinement, machine = ANA): string {
  const { cwd, home, closed, imagined } = machine;
  const action = builder.tool(
    { tool, input },
    {
      door: 'hook',
      actor: { tenant: 'default', user: 'ana', agent: 'dev', session: 's', chain: ['dev'], confinement },
      cwd,
      home,
      workspace: workspaceOf(cwd, home),
      ...(imagined === true ? { links: () => ({ kind: 'missing' }) as const } : {}),
    },
  );
  return short(judge(action, snapshotOf(policyOf(CONFIG, { closedPaths: [closed], home }))));
}
const says = (command: string, confinement: Confinement = 'unconfined', machine = ANA): string =>
  call('Bash', { command }, confinement, machine);
const REFUSED = 'deny PathOutsideBoundary';
const CLOSED = [...CLOSED_FORMS, ...CLOSED_PROGRAMS];

describe('without a jail the home of the gateway is closed', () => {
  test.each(CLOSED)('[GA-14] %s', (line) => {
    expect(says(line)).toBe(REFUSED);
  });

  test.each(MAYBE_CLOSED)('[GA-14] a person looks at %s', (line) => {
    expect(says(line)).toBe('ask human');
  });

  test('[GA-14] however many words stand before it', () => {
    for (const count of [10, 64, 65, 70, 500]) {
      const words = Array.from({ length: count }, (_, at) => `a${at}`).join(' ');
      expect(says(`cat ${words} ~/.sallyport/operator.token`)).toBe(REFUSED);
      expect(says(`cat {${words.replaceAll(' ', ',')},~/.sallyport/operator.token}`)).toBe(REFUSED);
    }
    const folders = Array.from({ length: 40 }, (_, at) => `cd /f${at}`).join('; ');
    expect(says(`${folders}; cd ~; cat .sallyport/operator.token`)).toBe(REFUSED);
    expect(says(`cat ~/.sallyport/operator.token # ${'x'.repeat(20_000)}`)).toBe(REFUSED);
    expect(says(`cat ${'{a,b}'.repeat(20)}/.sallyport/operator.token`)).toBe(REFUSED);
  });

  test('there are more than a hundred and twenty ways, and no line is there twice', () => {
    expect(CLOSED.length).toBeGreaterThan(400);
    expect(new Set(CLOSED).size).toBe(CLOSED.length);
  });

  test.each([
    { tool: 'Grep', input: { pattern: 'x', path: '/home/ana' }, why: 'a search through a folder above' },
    { tool: 'Grep', input: { pattern: 'x', path: '/' }, why: 'a search through everything' },
    { tool: 'Read', input: { file_path: '/home/ana/.sallyport/operator.token' }, why: 'a file' },
    { tool: 'Glob', input: { pattern: '/home/ana/.sallyport/*' }, why: 'names' },
  ])('[GA-14] for other tools too: $why', ({ tool, input }) => {
    expect(call(tool, input, 'unconfined')).toBe(REFUSED);
  });

  test('[GA-14] a home that has an ordinary name, outside the person’s', () => {
    const machine = { ...ANA, closed: '/srv/gate' };
    for (const line of [
      'cat /srv/gate/operator.token',
      'cd /srv; cat gate/operator.token',
      'cat /srv/g*/operator.token',
      'grep -r x /srv',
      `python3 -c "open('/srv/gate/operator.token')"`,
      'cat /proc/self/root/srv/gate/operator.token',
      'T=/srv/gate; cat $T/operator.token',
    ])
      expect(says(line, 'unconfined', machine)).toBe(REFUSED);
    for (const line of ['cat gate', 'cat src/gate/index.ts', 'ls /srv', 'cat /srv/gateway/x', 'echo gate'])
      expect(says(line, 'unconfined', machine)).toBe('allow');
  });

  test('[GA-14] a client that does not say where its home is hides nothing', () => {
    const machine = { ...ANA, home: '/' };
    expect(says('cat ~/.sallyport/operator.token', 'unconfined', machine)).toBe(REFUSED);
    expect(says('cat $HOME/.sallyport/operator.token', 'unconfined', machine)).toBe(REFUSED);
  });
});

describe('links on a real disk', () => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sallyport-closed-')));
  afterAll(() => rmSync(folder, { recursive: true }));
  const home = join(folder, 'home');
  const machine: Machine = { cwd: join(folder, 'work'), home, closed: join(home, '.sallyport') };
  mkdirSync(machine.closed, { recursive: true });
  mkdirSync(machine.cwd);
  writeFileSync(join(machine.closed, 'operator.token'), 'x');
  symlinkSync(machine.closed, join(machine.cwd, 'direct'));
  symlinkSync(home, join(machine.cwd, 'above'));
  symlinkSync('/proc/self/root', join(machine.cwd, 'root'));

  test.each([
    'cat direct/operator.token',
    'cat < direct/operator.token',
    'cd direct && cat operator.token',
    'cd above; cat .sallyport/operator.token',
    'cat above/.sallyport/operator.token',
    'cat above/.sally*/operator.token',
    'cat direct/*',
    'cp -r above /tmp/x',
    'grep -r x above/',
    'cat root/.sallyport/operator.token',
    'ls direct',
  ])('[GA-14] %s', (line) => {
    expect(says(line, 'unconfined', machine)).toBe(REFUSED);
  });

  test('a link that leads elsewhere is nobody’s business', () => {
    expect(says('ls above', 'unconfined', machine)).toBe('allow');
    expect(says('cat above/x', 'unconfined', machine)).toBe('allow');
  });
});

describe('everyday lines', () => {
  // Programs that are on no list ask without a jail, as does what changes the machine outside the workspace.
  const ASKS =
    /^(?:ln -s ~|rm -rf ~|cat ~\/\.ssh|python3|make|rsync|sed -i|zip|sh -c "ls|tar xf x.tar -C|tar czf x.tgz -C|git -C)/;

  test.each(OPEN)('are no business of the gateway’s home: %s', (line) => {
    const answer = says(line);
    expect(answer).not.toMatch(/^deny/);
    if (!ASKS.test(line)) expect(answer).toBe('allow');
    expect(says(line, 'jailed')).toBe('allow');
  });

  test('there are more than sixty', () => {
    expect(new Set(OPEN).size).toBeGreaterThan(100);
  });

  test('in a jail, where the home is not there, the lines that are refused outside go on', () => {
    const refused = CLOSED.filter((line) => says(line, 'jailed').startsWith('deny'));
    // What is written there by name was always refused, in a jail too.
    expect(refused.filter((line) => !/>|tee|-[oO] |sed -i|dd |--output|sort|git init/.test(line))).toEqual(
      [],
    );
    expect(refused.length).toBeLessThan(15);
  });
});
