import type { Action, Judgement } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { loadActionBuilders, workspaceOf } from '../../../src/actions/index.ts';
import { policyOf, snapshotOf } from '../../../src/gate/gate.fixture.ts';
import { judge } from '../../../src/gate/index.ts';
import type { Snapshot } from '../../../src/gate/policy/snapshot.ts';
import { DESTROYING } from './destroying-lines.ts';
import { GUARDED_FILES, GUARDED_LINES, OPEN_FILES, OPEN_LINES } from './guarded-places.ts';
import { HARMLESS } from './harmless-lines.ts';
import { HOST_ASKS, SECRET_READS } from './machine-lines.ts';

const builder = (await loadActionBuilders())();
/** As in the first config: everything here is allowed, known hosts too; what is asked, the mode asks. */
const POLICY = policyOf({
  agents: { dev: { permissions: ['allow:*'] } },
  network: { default: 'allow' },
});

interface How {
  readonly tool?: string;
  readonly input?: Action['input'];
  readonly confinement?: Action['actor']['confinement'];
  /** null: the session named none */
  readonly workspace?: string | null;
  readonly temporary?: string;
  readonly over?: Partial<Snapshot>;
}

function build(command: string, how: How = {}): Action {
  const { confinement = 'unconfined', workspace = '/repo/app', tool = 'Bash', input = { command } } = how;
  return builder.tool(
    { tool, input },
    {
      door: 'hook',
      actor: { tenant: 'default', user: 'ana', agent: 'dev', session: 's', chain: ['dev'], confinement },
      cwd: '/repo/app',
      home: '/home/ana',
      ...(workspace === null ? {} : { workspace: workspaceOf(workspace, '/home/ana', how.temporary) }),
      // No file is looked at, but for the names that the kernel itself has for the root.
      links: (path) => (path === '/proc/self/root' ? { kind: 'link', target: '/' } : { kind: 'missing' }),
    },
  );
}

function judged(command: string, how: How = {}): Judgement {
  return judge(build(command, how), snapshotOf(POLICY, how.over));
}
const says = (command: string, how: How = {}): string => judged(command, how).outcome;
const read = (file: string, how: How = {}) =>
  judged('', { ...how, tool: 'Read', input: { file_path: file } });
const write = (file: string, how: How = {}) =>
  judged('', { ...how, tool: 'Write', input: { file_path: file, content: 'x' } });

describe('without a jail', () => {
  test.each(DESTROYING)('[WO-3] `%s` asks where no snapshot holds it: %s', (line) => {
    expect(says(line)).not.toBe('allow');
  });

  test.each(HOST_ASKS)('`%s` asks: %s', (line) => {
    expect(says(line, { over: { held: true } })).not.toBe('allow');
  });

  test.each(SECRET_READS)('[GA-14] `%s` asks: %s', (line) => {
    expect(says(line, { over: { held: true } })).not.toBe('allow');
  });

  test('at most one in twenty harmless lines asks, and none is refused', () => {
    const asked = HARMLESS.filter(([line]) => says(line) !== 'allow');
    expect(asked.filter(([line]) => says(line) === 'deny')).toEqual([]);
    expect({ asked: asked.map(([line]) => line), most: HARMLESS.length / 20 }).toSatisfy(
      ({ asked: lines, most }: { asked: readonly string[]; most: number }) => lines.length <= most,
    );
  });

  test('the tables are as large as they are said to be, and hostile rows are more than friendly ones', () => {
    const hostile = [...DESTROYING, ...HOST_ASKS, ...SECRET_READS].map(([line]) => line);
    expect(new Set(hostile).size).toBe(hostile.length);
    expect(hostile.length).toBeGreaterThanOrEqual(300);
    expect(DESTROYING.length).toBeGreaterThanOrEqual(150);
    const friendly = new Set(HARMLESS.map(([line]) => line));
    expect(friendly.size).toBe(HARMLESS.length);
    expect(friendly.size).toBeGreaterThanOrEqual(250);
    expect(hostile.length).toBeGreaterThan(friendly.size);
  });
});

describe('places where things run later, without a jail', () => {
  test.each(GUARDED_FILES)('[JA-7] writing `%s` asks', (file) => {
    expect(write(`/repo/app/${file}`, { over: { held: true } })).toMatchObject({
      outcome: 'ask',
      strength: 'human',
    });
    expect(read(`/repo/app/${file}`).outcome).toBe('allow');
  });

  test.each(GUARDED_LINES)('[JA-7] [GA-14] `%s` asks', (line) => {
    expect(says(line, { over: { held: true } })).toBe('ask');
  });

  test('ordinary files and ordinary work of git do not', () => {
    expect(OPEN_FILES.filter((file) => write(`/repo/app/${file}`).outcome !== 'allow')).toEqual([]);
    expect(OPEN_LINES.filter((line) => says(line, { over: { held: true } }) !== 'allow')).toEqual([]);
  });

  test('in a jail nothing is asked: it does not take effect there', () => {
    const asked = GUARDED_LINES.filter((line) => says(line, { confinement: 'jailed' }) === 'ask');
    expect(asked).toEqual([]);
    expect(write('/repo/app/.vscode/tasks.json', { confinement: 'jailed' }).outcome).toBe('allow');
  });

  test('an exception may name them, and the answer is about this place alone', () => {
    const policy = policyOf({
      agents: { dev: { permissions: ['allow:*'] } },
      tenants: { default: { exceptions: ['Write(./.vscode/**)'] } },
    });
    const outcome = (file: string) =>
      judge(build('', { tool: 'Write', input: { file_path: file, content: 'x' } }), snapshotOf(policy))
        .outcome;
    expect(outcome('/repo/app/.vscode/settings.json')).toBe('allow');
    expect(outcome('/repo/app/.envrc')).toBe('ask');
    expect(commands('touch .vscode/tasks.json')[0]).toMatchObject({ object: '/repo/app/.vscode/tasks.json' });
  });
});

describe('in a jail', () => {
  test('nothing of this is asked: the inside is the agent’s', () => {
    const asked = [...DESTROYING, ...HOST_ASKS, ...SECRET_READS, ...HARMLESS]
      .filter(([line]) => says(line, { confinement: 'jailed' }) === 'ask')
      .map(([line]) => line);
    expect(asked).toEqual([]);
  });

  test('what destroys has its type there too, so that a rule can name it', () => {
    const policy = policyOf({ agents: { dev: { permissions: ['ask:@custom:destroy', 'allow:*'] } } });
    const says = (line: string) => judge(build(line, { confinement: 'jailed' }), snapshotOf(policy)).outcome;
    expect(says('rm -rf src')).toBe('ask');
    expect(says('git reset --hard')).toBe('ask');
    expect(says('rm a.txt')).toBe('allow');
  });
});

describe('a snapshot', () => {
  test.each(['rm -rf src', 'git reset --hard', 'git clean -fdx', 'find . -name x -delete', ': > data.db'])(
    '[WO-3] lets `%s` pass when it holds what is destroyed, and not without',
    (line) => {
      expect(says(line, { over: { held: true } })).toBe('allow');
      expect(says(line, { over: { held: false } })).toBe('ask');
      expect(says(line)).toBe('ask');
    },
  );

  test('a rule about deleting files is about what destroys them too', () => {
    const policy = policyOf({ agents: { dev: { permissions: ['deny:@code:delete', 'allow:*'] } } });
    expect(judge(build('rm -rf src'), snapshotOf(policy, { held: true })).outcome).toBe('deny');
    expect(judge(build('rm -rf src', { confinement: 'jailed' }), snapshotOf(policy)).outcome).toBe('deny');
  });
});

describe('the workspace of a session', () => {
  test('files of it are free, others are read, and written with a question', () => {
    expect(read('/repo/app/src/a.ts').outcome).toBe('allow');
    expect(write('/repo/app/src/a.ts').outcome).toBe('allow');
    expect(read('/etc/hosts').outcome).toBe('allow');
    expect(write('/etc/hosts').outcome).toBe('ask');
    expect(write('/home/ana/.bashrc').outcome).toBe('ask');
    expect(read('/home/ana/.ssh/id_rsa').outcome).toBe('ask');
    expect(read('/home/ana/.aws/credentials').outcome).toBe('ask');
    expect(write('/repo/application/x').outcome).toBe('ask');
  });

  test('without one nothing is free: reads of files ask, and do not fail', () => {
    const snapshot: Partial<Snapshot> = {
      identity: { kind: 'session', alive: true, expiresAt: 2_000, rights: { permitted: true } },
    };
    const how: How = { workspace: null, over: snapshot };
    expect(read('/repo/app/src/a.ts', how)).toMatchObject({ outcome: 'ask', strength: 'human' });
    expect(write('/repo/app/src/a.ts', how).outcome).toBe('ask');
    expect(says('cat package.json', how)).toBe('ask');
    expect(says('touch x', how)).toBe('ask');
  });

  test.each(['/', '/home', '/home/ana'])('`%s` is too wide to be one', (workspace) => {
    expect(write('/home/ana/.bashrc', { workspace }).outcome).toBe('ask');
    expect(says('touch ~/.profile', { workspace })).toBe('ask');
    expect(read('/repo/app/x', { workspace }).outcome).toBe('allow');
  });

  test.each([
    ['/tmp/claude-1000', 'allow'],
    ['/var/folders/ab/T', 'allow'],
    ['/home/ana', 'ask'],
    ['/', 'ask'],
    ['/etc', 'ask'],
    ['/tmp/../etc', 'ask'],
  ])('scratch space where the client says that it is: %s', (temporary, outcome) => {
    expect(says(`touch ${temporary}/x`, { temporary })).toBe(outcome);
  });

  test('a host write is offered as this program on this path', () => {
    expect(commands('touch ~/.config/x')[0]).toMatchObject({ reach: 'host', object: '/home/ana/.config/x' });
    expect(commands('rm -rf ~/x')[0]).not.toHaveProperty('object');
  });

  test('an exception names what may change on the machine, but not in mode `strict`', () => {
    const policy = (mode: string) =>
      policyOf({
        agents: { dev: { permissions: ['allow:*'] } },
        tenants: { default: { mode, exceptions: ['Bash(touch *)'] } },
      });
    expect(judge(build('touch ~/x'), snapshotOf(policy('cautious'))).outcome).toBe('allow');
    expect(judge(build('mkdir ~/x'), snapshotOf(policy('cautious'))).outcome).toBe('ask');
    expect(judge(build('touch ~/x'), snapshotOf(policy('strict'))).outcome).toBe('ask');
  });
});

function commands(line: string) {
  const { target } = build(line);
  return target.kind === 'command' ? target.commands : [];
}
