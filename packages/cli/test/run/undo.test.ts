import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { SnapshotList, UndoPlanWire } from '@sallyport/protocol';
import {
  createTestCa,
  type PartnerName,
  requireEngine,
  requirePartner,
  ScriptedModel,
} from '@sallyport/testkit';
import { makeTemplate, NO_UTF8_NAME, observe } from '@sallyport/testkit/workspace-template';
import { describe, expect, test } from 'vitest';
import { CLIENTS, type PartnerClient } from './partner-clients.ts';
import { CANARIES, OUTSIDE, openRunFixture, PROGRAM, type RunFixture } from './run-fixture.ts';
import { openScreen } from './screen.ts';

const jail = requireEngine('bubblewrap', 'git');
const terminal = requireEngine('bubblewrap', 'git', 'tmux');

/** What is rebuilt is not held. */
const REBUILT = ['/node_modules', '/out'];

/** A workspace with one of everything. */
async function open(options: Parameters<typeof openRunFixture>[0] = {}): Promise<RunFixture> {
  const fixture = await openRunFixture(options);
  rmSync(fixture.workspace, { recursive: true });
  makeTemplate(fixture.workspace);
  // A jail does not start where a name could not be masked.
  rmSync(Buffer.concat([Buffer.from(`${fixture.workspace}/`), NO_UTF8_NAME]));
  return fixture;
}

const execute = promisify(execFile);

/** What it printed. Rejects with what it said when it failed. */
async function sallyport({ workspace, env }: RunFixture, ...words: readonly string[]): Promise<string> {
  const { stdout } = await execute(process.execPath, [PROGRAM, ...words], { cwd: workspace, env: env() });
  return stdout;
}

/** Whatever an agent can do to a folder that it may write. */
const DESTROY = [
  'git config user.name agent; git config user.email agent@example.com',
  'git reset -q --hard HEAD~1; git branch -D other; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now',
  'find . -mindepth 1 -delete; echo "left: $(ls -A)"',
].join('\n');

describe.skipIf(jail.missing)(`undo of a run in a jail (${jail.install})`, () => {
  test('[WO-1] a jailed agent deletes all of its workspace, and all of it comes back', async () => {
    await using fixture = await open();
    const before = observe(fixture.workspace, REBUILT);
    const { stdout, code } = await fixture.shell(DESTROY);
    const left = ['.git', 'nested', 'pipe'];
    expect({ stdout, code }).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`left: ${left.join('\n')}\n`),
    });
    // A fifo of the host is masked, and so in use; so are the folders of hooks, which are read-only.
    expect(readdirSync(fixture.workspace)).toEqual(left);
    expect(readdirSync(join(fixture.workspace, '.git'))).toEqual(['hooks']);
    expect(readdirSync(join(fixture.workspace, 'nested'))).toEqual(['.git']);
    expect(await sallyport(fixture, 'undo', '--yes')).toMatch(/^undone: \d+ brought back, 0 removed/m);
    expect(observe(fixture.workspace, REBUILT)).toEqual(before);
  });

  test('[WO-2] a jailed agent finds no snapshot, and can do nothing to one', async () => {
    await using fixture = await open();
    const { home } = fixture.gateway;
    const attempts = [
      `ls -A '${home}' '${home}/snapshots'`,
      `find / -xdev -name 'snap_*' -o -xdev -name '*.pack' -path '*snapshots*' 2>/dev/null`,
      `rm -rf '${home}/snapshots'; echo planted > '${home}/snapshots/x'`,
      'ls /proc/*/root/ 2>/dev/null | grep -c snap_',
    ];
    const { stdout } = await fixture.shell(attempts.join('\n'));
    expect(stdout).not.toContain('snap_');
    expect(stdout).not.toContain('.pack');
    expect(existsSync(join(home, 'snapshots/x'))).toBe(false);
    const list = JSON.parse(await sallyport(fixture, 'undo', '--list', '--json')) as SnapshotList;
    expect(list.runs.flatMap(({ snapshots }) => snapshots.map(({ kind }) => kind))).toEqual(['start', 'end']);
  });

  test('[WO-4] shows what the person did since, keeps it, and puts it back when told', async () => {
    await using fixture = await open();
    await fixture.shell('echo agent > README.md; echo agent > new');
    writeFileSync(join(fixture.workspace, 'new'), 'mine\n');
    const plan = JSON.parse(await sallyport(fixture, 'undo', '--dry-run', '--json')) as UndoPlanWire;
    expect(plan.changes).toEqual([{ path: 'README.md', change: 'changed' }]);
    expect(plan.kept).toEqual([{ path: 'new', why: 'yours' }]);
    await sallyport(fixture, 'undo', '--yes');
    expect(readFileSync(join(fixture.workspace, 'new'), 'utf8')).toBe('mine\n');
    await sallyport(fixture, 'undo', '--yes', '--force');
    expect(existsSync(join(fixture.workspace, 'new'))).toBe(false);
  });

  test('without a terminal and without a yes nothing is changed', async () => {
    await using fixture = await open();
    await fixture.shell('echo agent > README.md');
    await expect(sallyport(fixture, 'undo')).rejects.toThrow('nothing was changed');
    expect(readFileSync(join(fixture.workspace, 'README.md'), 'utf8')).toBe('agent\n');
    expect(await sallyport(fixture, 'undo', '--dry-run', '--diff')).toContain('+three');
  });

  test('a workspace that is too large is run in all the same, and says that there is no way back', async () => {
    await using fixture = await open({ config: 'workspace: { snapshot: { max_files: 10 } }' });
    const { stderr, code } = await fixture.shell('true');
    expect({ stderr, code }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /^sallyport: this run cannot be undone: .*more than 10 files and folders/,
      ),
    });
    await expect(sallyport(fixture, 'undo', '--yes')).rejects.toThrow('has a snapshot');
  });
});

describe.each(Object.entries(CLIENTS) as [PartnerName, PartnerClient][])('the real %s', (name, client) => {
  const state = requirePartner(name);

  test.skipIf(terminal.missing || state.missing)(
    `[WO-1] deletes its workspace, resets and deletes branches, and undo brings all of it back (${terminal.install}, ${state.install})`,
    async () => {
      const steps = DESTROY.split('\n');
      let step = 0;
      await using model = await ScriptedModel.start({
        host: OUTSIDE,
        apiKey: CANARIES.model,
        reply({ tools }) {
          const command = tools.includes(client.shell('').name) ? steps[step] : undefined;
          if (command === undefined) return { text: 'All is done.' };
          step += 1;
          return { toolCalls: [client.shell(command)] };
        },
      });
      const port = new URL(model.url).port;
      await using fixture = await open({
        ca: await createTestCa(),
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${client.provider} }]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    credentials:\n      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      for (const [path, text] of Object.entries(client.files(model.url))) {
        mkdirSync(dirname(join(fixture.userHome, path)), { recursive: true });
        writeFileSync(join(fixture.userHome, path), text);
      }
      const before = observe(fixture.workspace, REBUILT);
      using screen = openScreen({ ...fixture.env(), ...client.env(model.url) }, fixture.workspace);
      const words = [process.execPath, PROGRAM, 'run', '--', state.program, ...client.task];
      screen.type(words.map((word) => `'${word}'`).join(' '));
      screen.keys('Enter');
      const last = await screen.shows(
        /changed .*gone[\s\S]*the repository is gone[\s\S]*sallyport undo sess_\w+/,
      );
      const [command = ''] = /undo sess_\w+/.exec(last) ?? [];
      screen.type(`'${process.execPath}' '${PROGRAM}' ${command}`);
      screen.keys('Enter');
      await screen.shows(/Undo this\? \[y\/N\]/);
      screen.type('y');
      screen.keys('Enter');
      await screen.shows(/undone: \d+ brought back/);
      expect(observe(fixture.workspace, REBUILT)).toEqual(before);
    },
  );
});
