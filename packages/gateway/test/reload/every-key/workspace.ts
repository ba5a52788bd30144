import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SnapshotList } from '@sallyport/protocol';
import { startTestGateway, tempDir } from '@sallyport/testkit';
import { Workspace } from '../../../src/workspace/history/workspace.ts';
import { type HeldRun, holdRun } from '../../workspace/hold-run.ts';
import { LIMITS } from '../../workspace/workspace-fixture.ts';
import { at, type Draft, type Group, type OpenWorld } from './cases.ts';

type See = 'held' | 'runs' | 'days' | 'timed';

interface SnapshotWorld extends OpenWorld {
  readonly folder: string;
  /** for what is held once, and what of it is left later */
  old: string;
  held: HeldRun | undefined;
}

const DAY_MS = 86_400_000;
let made = 0;

/** A workspace with a file that git would ignore. */
function workspaceIn(folder: string): string {
  made += 1;
  const path = join(folder, String(made));
  mkdirSync(join(path, '.git'), { recursive: true });
  writeFileSync(join(path, '.gitignore'), '*.log\n');
  writeFileSync(join(path, 'large.log'), 'x'.repeat(2_000));
  return path;
}

async function list({ gateway }: SnapshotWorld, workspace: string): Promise<SnapshotList['runs']> {
  const answer = await gateway.operator(`/v1/snapshots?${new URLSearchParams({ workspace })}`);
  return answer.json<SnapshotList>().runs;
}

export const workspaceGroup: Group<See, SnapshotWorld> = {
  name: 'snapshots of workspaces',
  cases: {
    'workspace.snapshot.keep_runs': [
      { change: at('workspace.snapshot.keep_runs', 0), see: 'held' },
      { change: at('workspace.snapshot.keep_runs', 1), see: 'runs' },
    ],
    'workspace.snapshot.max_file': { change: at('workspace.snapshot.max_file', 1_000), see: 'held' },
    'workspace.snapshot.max_files': { change: at('workspace.snapshot.max_files', 2), see: 'held' },
    'workspace.snapshot.max_bytes': { change: at('workspace.snapshot.max_bytes', 1_000), see: 'held' },
    'workspace.snapshot.keep_days': { change: at('workspace.snapshot.keep_days', 1), see: 'days' },
    'workspace.snapshot.every': { change: at('workspace.snapshot.every', '100ms'), see: 'timed' },
  },
  async open() {
    const dir = await tempDir();
    const gateway = await startTestGateway();
    const base: Draft = {
      tenants: {
        default: { default_user: 'ana', default_agent: 'dev', users: { ana: { roles: ['owner'] } } },
      },
      roles: { owner: { allow: ['agent:*', 'tool:*'] } },
      agents: { dev: {} },
    };
    return {
      ...{ gateway, base, folder: dir.path, old: '', held: undefined },
      async [Symbol.asyncDispose]() {
        await gateway.close();
        await dir.remove();
      },
    };
  },
  async settle(world, see) {
    world.old = workspaceIn(world.folder);
    if (see === 'timed') world.held = await holdRun(world.gateway, world.old);
    if (see !== 'days') return;
    const { store, take } = openStore(world);
    const { tree, ...facts } = take();
    const id = `snap_${'0'.repeat(26)}`;
    store.add({ ...facts, id, at: Date.now() - 3 * DAY_MS }, store.tree({ tree }));
    store.remove(new Set([facts.id]));
  },
  async look(world, see) {
    const { gateway, folder, old } = world;
    switch (see) {
      case 'held': {
        const path = workspaceIn(folder);
        const run = await holdRun(gateway, path);
        const { snapshot, snapshot_problem: problem } = run.started;
        const held = snapshot === null ? [] : await list(world, path);
        await run.end();
        return { problem, leftOut: held.map(({ snapshots }) => snapshots.map((one) => one.left_out)) };
      }
      case 'runs': {
        for (let n = 0; n < 2; n += 1) await (await holdRun(gateway, old)).end();
        await gateway.operator('/v1/snapshots/prune', { method: 'POST' });
        return (await list(world, old)).length > 1;
      }
      case 'days':
        await gateway.operator('/v1/snapshots/prune', { method: 'POST' });
        return (await list(world, old)).length;
      case 'timed': {
        writeFileSync(join(old, 'file'), String(Math.random()));
        const kinds = (await list(world, old)).flatMap(({ snapshots }) => snapshots.map(({ kind }) => kind));
        if (kinds.includes('timed')) rmSync(join(old, 'file'));
        return kinds.includes('timed');
      }
    }
  },
};

/** The store of a workspace that no process of the gateway has open yet. */
function openStore({ gateway, old }: SnapshotWorld) {
  const workspace = new Workspace(gateway.home, old, () => LIMITS);
  const run = { id: `sess_${'0'.repeat(26)}`, tenant: 'default', agent: 'dev', kind: 'run' } as const;
  return { store: workspace.store, take: () => workspace.take({ run, kind: 'start', isQuiet: true }) };
}
