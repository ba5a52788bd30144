import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { AuditEvent, SnapshotList, UndoPlanWire, UndoResult } from '@sallyport/protocol';
import { startTestGateway, type TestGateway, tempDir, waitFor, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { Workspace } from '../../src/workspace/history/workspace.ts';
import { writeJournal } from '../../src/workspace/undo/journal.ts';
import { holdRun } from './hold-run.ts';
import { LIMITS, runIn } from './workspace-fixture.ts';

const CONFIG = `
tenants: { default: { default_user: ana, default_agent: dev, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
agents: { dev: {} }
`;

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway({ config: CONFIG });
});
afterAll(() => gateway.close());

async function workspace(): Promise<string> {
  const dir = await tempDir();
  onTestFinished(dir.remove);
  writeFileSync(join(dir.path, 'file'), 'before\n');
  return dir.path;
}

async function list(folder: string): Promise<SnapshotList> {
  return (await gateway.operator(`/v1/snapshots?${new URLSearchParams({ workspace: folder })}`)).json();
}

async function plan(question: object) {
  const answer = await gateway.operator('/v1/undo/plan', { json: question });
  return {
    status: answer.status,
    ...answer.json<UndoPlanWire & { error?: { message: string; hint?: string } }>(),
  };
}

async function undo(question: object): Promise<UndoResult> {
  const { digest } = await plan(question);
  const answer = await gateway.operator('/v1/undo', { json: { ...question, digest } });
  expect(answer.status, answer.text).toBe(200);
  return answer.json();
}

async function events(text: string): Promise<readonly AuditEvent[]> {
  const answer = await gateway.operator(`/v1/audit/events?${new URLSearchParams({ text, order: 'oldest' })}`);
  return answer
    .json<{ items: AuditEvent[] }>()
    .items.filter(({ type }) => type.startsWith('WorkspaceEvent::'));
}

describe('a run with a workspace', () => {
  test('[WO-1] is held before it is told that it may begin, and after it ended; what it did is said, and undone', async () => {
    const folder = await workspace();
    const run = await holdRun(gateway, folder);
    const { session_id: id, snapshot } = run.started;
    expect((await list(folder)).runs).toMatchObject([
      { id, ended_at: null, snapshots: [{ id: snapshot, kind: 'start' }] },
    ]);
    writeFileSync(join(folder, 'file'), 'by the agent\n');
    writeFileSync(join(folder, 'new'), 'one\ntwo\n');
    expect((await run.end()).changes).toEqual({
      files: { added: 1, removed: 0, changed: 1 },
      lines: { added: 3, removed: 1, uncounted: 0 },
      ...{ git: [], left_out: 0 },
    });
    const result = await undo({ run: id });
    expect(result).toMatchObject({ done: true, counts: { added: 0, removed: 1, changed: 1 }, meanwhile: [] });
    expect([readFileSync(join(folder, 'file'), 'utf8'), existsSync(join(folder, 'new'))]).toEqual([
      'before\n',
      false,
    ]);
    await undo({ run: result.id });
    expect(readFileSync(join(folder, 'new'), 'utf8')).toBe('one\ntwo\n');

    const types = (await events(id)).map(({ type, actor }) => `${type} by ${actor.kind}`);
    expect(types).toEqual([
      ...['WorkspaceEvent::SnapshotTaken by gateway', 'WorkspaceEvent::SnapshotTaken by gateway'],
      ...['WorkspaceEvent::UndoBegun by operator', 'WorkspaceEvent::UndoEnded by operator'],
    ]);
  });

  test('[WO-2] is held in the home, for its owner alone', async () => {
    const folder = await workspace();
    await (await holdRun(gateway, folder)).end();
    const store = join(gateway.home, 'snapshots');
    for (const name of ['', ...readdirSync(store, { recursive: true, encoding: 'utf8' })]) {
      const stats = statSync(join(store, name));
      expect([name, stats.mode & 0o077]).toEqual([name, 0]);
    }
  });

  test('is not undone while its agent, or another one in the same place, is at work', async () => {
    const folder = await workspace();
    mkdirSync(join(folder, 'below'));
    const first = await holdRun(gateway, folder);
    const { session_id: id } = first.started;
    expect(await plan({ run: id })).toMatchObject({
      status: 409,
      error: {
        message: `\`${id}\` is still at work in \`${folder}\``,
        hint: expect.stringContaining('sessions end'),
      },
    });
    await first.end();
    const second = await holdRun(gateway, join(folder, 'below'));
    expect(await plan({ run: id })).toMatchObject({ status: 409 });
    await second.end();
    expect(await plan({ run: id })).toMatchObject({ status: 200 });
  });

  test('[WO-4] two at once: what the other did after the end of the first stays', async () => {
    const folder = await workspace();
    const [first, second] = [await holdRun(gateway, folder), await holdRun(gateway, folder)];
    writeFileSync(join(folder, 'first'), '');
    await first.end();
    writeFileSync(join(folder, 'second'), '');
    await second.end();
    const found = await plan({ run: first.started.session_id });
    expect(found.kept).toEqual([{ path: 'second', why: 'yours' }]);
    expect(found.others).toEqual([second.started.session_id]);
    expect(found.changes).toEqual([{ path: 'first', change: 'removed' }]);
  });

  test('[WO-4] whose keeper was killed has an end all the same', async () => {
    const folder = await workspace();
    const run = await holdRun(gateway, folder);
    writeFileSync(join(folder, 'file'), 'by the agent\n');
    run.hangUp();
    await waitFor('the end to be held', async () =>
      expect((await list(folder)).runs[0]?.ended_at).not.toBeNull(),
    );
    expect((await plan({ workspace: folder })).kept).toEqual([]);
  });

  test('is found from a folder in it and through a link, and its paths by their names', async () => {
    const folder = await workspace();
    mkdirSync(join(folder, 'deep/er'), { recursive: true });
    symlinkSync(folder, join(folder, 'deep/link'));
    const run = await holdRun(gateway, join(folder, 'deep/link'));
    expect((await list(join(folder, 'deep/er'))).workspace).toBe(folder);
    writeFileSync(join(folder, 'file'), 'by the agent\n');
    writeFileSync(join(folder, 'deep/new'), '');
    await run.end();
    await undo({ workspace: folder, paths: [join(folder, 'deep')] });
    expect([existsSync(join(folder, 'deep/new')), readFileSync(join(folder, 'file'), 'utf8')]).toEqual([
      ...[false, 'by the agent\n'],
    ]);
    const outside = await plan({ workspace: folder, paths: ['/etc'] });
    expect(outside).toMatchObject({
      status: 422,
      error: { message: expect.stringContaining('does not lie in') },
    });
  });

  test('that cannot be held begins all the same, and says so', async () => {
    const run = await holdRun(gateway, '/nowhere at all');
    expect(run.started).toMatchObject({
      ...{ snapshot: null, snapshot_problem: expect.stringContaining('cannot be opened (ENOENT)') },
    });
    expect((await run.end()).changes).toBeNull();
    expect((await events(run.started.session_id)).map(({ type }) => type)).toEqual([
      'WorkspaceEvent::SnapshotFailed',
    ]);
  });

  test('a workspace in which nothing was run has nothing to undo', async () => {
    const folder = await workspace();
    expect(await plan({ workspace: folder })).toMatchObject({ status: 404 });
    expect(await plan({ run: 'sess_none' })).toMatchObject({ status: 404 });
    expect(await plan({})).toMatchObject({ status: 400 });
  });

  test('[WO-1] nothing but what was shown is undone', async () => {
    const folder = await workspace();
    const run = await holdRun(gateway, folder);
    writeFileSync(join(folder, 'file'), 'by the agent\n');
    await run.end();
    const question = { run: run.started.session_id, force: true };
    const { digest } = await plan(question);
    rmSync(join(folder, 'file'));
    const answer = await gateway.operator('/v1/undo', { json: { ...question, digest } });
    expect(answer.status).toBe(409);
    expect(existsSync(join(folder, 'file'))).toBe(false);
  });
});

test('[WO-1] an undo that was cut off is finished when the workspace is needed next, and is in the trail', async () => {
  const folder = await workspace();
  const library = new Workspace(gateway.home, folder, () => LIMITS);
  const run = runIn(library, () => writeFileSync(join(folder, 'file'), 'by the agent\n'));
  const { steps, anchors, git } = library.plan({ run, force: false }, (planned) => planned.plan);
  const facts = { id: `undo_${'0'.repeat(26)}`, tenant: 'default', agent: run, kind: 'undo' } as const;
  const { id: before } = library.take({ run: facts, kind: 'start', isQuiet: true });
  writeJournal(library.store.folder, { run: facts, before, steps, anchors, git });

  expect((await list(folder)).runs.at(-1)).toMatchObject({ id: facts.id, kind: 'undo', agent: run });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('before\n');
  await waitFor('the trail', async () => {
    const [ended] = await events(run);
    expect(ended).toMatchObject({
      type: 'WorkspaceEvent::UndoEnded',
      data: { done: true, was_cut_off: true },
    });
  });
});

test('[WO-1] a session with a hook is held from its first call on: what its client wrote over comes back', async () => {
  const folder = await workspace();
  const { session_id: id, session_token: token } = await gateway.openSession(undefined, folder);
  const event = {
    hook_event_name: 'PreToolUse',
    session_id: 's1',
    cwd: folder,
    tool_name: 'Read',
    tool_input: { file_path: join(folder, 'file') },
  };
  await gateway.agent('/v1/hooks/claude-code', { token, json: { event, home: '/home/ana' } });
  await waitUntil(
    'a snapshot',
    async () => (await list(folder)).runs?.[0]?.snapshots.length === 1 || undefined,
  );
  writeFileSync(join(folder, 'file'), 'by the agent\n');
  expect((await plan({ run: id })).error?.message).toContain('still at work');
  await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
  await waitUntil('the end of it', async () => (await plan({ run: id })).status === 200 || undefined);
  await undo({ run: id });
  expect(readFileSync(join(folder, 'file'), 'utf8')).toBe('before\n');
});
