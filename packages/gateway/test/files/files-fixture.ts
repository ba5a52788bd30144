import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, type Actor, type JsonObject, SallyportError, type Verdict } from '@sallyport/protocol';
import { FakeClock, tempDir } from '@sallyport/testkit';
import { onTestFinished } from 'vitest';
import { type ActionBuilder, loadActionBuilders } from '../../src/actions/index.ts';
import type { VolumeConfig } from '../../src/config/index.ts';
import { createFilesPath, type FilesPath, type ToolResult } from '../../src/executors/index.ts';
import { issuePermit } from '../../src/shared/permit.ts';
import { RecordingTrail } from '../identity/recording-trail.ts';

export const ACTOR: Actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  session: 'sess_1',
  execution: 'exec_1',
  chain: ['dev'],
  confinement: 'jailed',
};

let builder: ActionBuilder | undefined;

/** Volume `work` at `/workspace` unless other ones are named; `outside` is what nobody may touch. */
export class FilesFixture {
  readonly root: string;
  readonly clock = new FakeClock(Date.now());
  readonly trail = new RecordingTrail();
  readonly path: FilesPath;

  static async open(volumes?: (root: string) => readonly VolumeConfig[]): Promise<FilesFixture> {
    builder ??= (await loadActionBuilders())();
    const dir = await tempDir();
    const fixture = new FilesFixture(realpathSync(dir.path), volumes);
    onTestFinished(async () => {
      fixture.path[Symbol.dispose]();
      await dir.remove();
    });
    return fixture;
  }

  private constructor(root: string, volumes?: (root: string) => readonly VolumeConfig[]) {
    this.root = root;
    for (const name of ['home', 'work', 'outside']) mkdirSync(join(root, name));
    this.path = createFilesPath({
      volumes: volumes?.(root) ?? [volume(root)],
      trail: this.trail,
      home: join(root, 'home'),
      clock: this.clock,
    });
  }

  /** A path of this machine, in the volume's folder. */
  at(name: string): string {
    return join(this.root, 'work', name);
  }

  outside(name: string): string {
    return join(this.root, 'outside', name);
  }

  build(tool: string, input: JsonObject, actor: Actor = ACTOR): Action {
    if (builder === undefined) throw new Error('open the fixture first');
    return builder.tool(
      { tool, input },
      { door: 'mcp', actor, home: '/', ...this.path.context(actor.tenant) },
    );
  }

  /** Runs an action as if the gate had allowed it. */
  run(action: Action, signal = new AbortController().signal): Promise<ToolResult> {
    const verdict: Verdict = { kind: 'allow', by: 'policy', opinions: [] };
    issuePermit(verdict, action);
    return this.path.run({ action, verdict, signal });
  }

  /** A call whose action the gate would not refuse at once. */
  async call(tool: string, input: JsonObject, actor?: Actor): Promise<JsonObject> {
    const action = this.build(tool, input, actor);
    if (action.target.problem !== undefined) throw new Error(action.target.problem.message);
    const { structuredContent } = await this.run(action);
    if (structuredContent === undefined) throw new Error('no structured content');
    return structuredContent;
  }

  /** `ok`, or the code of the refusal. */
  async outcome(tool: string, input: JsonObject, actor?: Actor): Promise<string> {
    const { problem } = this.build(tool, input, actor).target;
    return problem?.code ?? codeOf(() => this.call(tool, input, actor));
  }

  get events(): readonly string[] {
    return this.trail.events.map(({ type }) => type);
  }
}

export function volume(root: string, over: Partial<VolumeConfig> = {}): VolumeConfig {
  return {
    name: 'work',
    mount: '/workspace',
    path: join(root, 'work'),
    tenants: ['default'],
    mode: 'rw',
    ...over,
  };
}

export async function codeOf(act: () => unknown): Promise<string> {
  try {
    await act();
  } catch (error) {
    if (error instanceof SallyportError) return error.code;
    throw error;
  }
  return 'ok';
}
