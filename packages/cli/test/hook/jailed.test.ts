import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HOOK_CLIENTS, type HookClient } from '@sallyport/protocol';
import { requireEngine, requirePartner, ScriptedModel, tempDir } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { CANARIES, OUTSIDE, openRunFixture, type RunFixture } from '../run/run-fixture.ts';
import { REAL_CLIENTS } from './hook-fixture.ts';

const bwrap = requireEngine('bubblewrap');

/** The client with its person's settings, until it is done. */
function work(client: HookClient, fixture: RunFixture, model: ScriptedModel): ReturnType<RunFixture['run']> {
  const real = REAL_CLIENTS[client];
  for (const [path, text] of Object.entries(real.files(model.url))) {
    mkdirSync(dirname(join(fixture.userHome, path)), { recursive: true });
    writeFileSync(join(fixture.userHome, path), text);
  }
  return fixture.run(['--json', '--', requirePartner(real.partner).program, ...real.argv], {
    ...real.env(model.url),
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
  });
}

/** A model that types these lines, one after the other. */
function shellModel(client: HookClient, script: readonly string[]): Promise<ScriptedModel> {
  const { shell } = REAL_CLIENTS[client];
  let step = 0;
  return ScriptedModel.start({
    host: OUTSIDE,
    apiKey: CANARIES.model,
    reply({ tools }) {
      const command = tools.includes(shell('').name) ? script[step] : undefined;
      if (command === undefined) return { text: 'done' };
      step += 1;
      return { toolCalls: [shell(command)] };
    },
  });
}

describe.each(HOOK_CLIENTS)('the real %s in a jail', (client) => {
  const real = REAL_CLIENTS[client];
  const state = requirePartner(real.partner);
  test.skipIf(bwrap.missing || state.missing)(
    `has its tools judged by their names too, and local work asks nobody (${state.install})`,
    async () => {
      await using model = await shellModel(client, ['echo mine > mine.txt && cat mine.txt', 'rm mine.txt']);
      const { port } = new URL(model.url);
      const provider = client === 'codex' ? 'openai' : 'anthropic';
      await using fixture = await openRunFixture({
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${provider} }]
permissions: ["deny:Bash(rm *)"]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      const ended = await work(client, fixture, model);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(existsSync(join(fixture.workspace, 'mine.txt'))).toBe(true);
      expect(model.requests.map(({ raw }) => raw).join('\n')).toContain('RuleDenied');
      expect(ended.summary()).toMatchObject({ asked: 0 });
    },
  );

  test.skipIf(bwrap.missing || state.missing)(
    `has the tools of the gateway, and is refused by the same rules there (${state.install})`,
    async () => {
      const call = (tool: string, input: Record<string, unknown>) => ({
        ...(client === 'codex'
          ? { namespace: 'mcp__sallyport', name: `fs_${tool}` }
          : { name: `mcp__sallyport__fs_${tool}` }),
        input,
      });
      const script = [
        call('write', { path: '/volume/mine.txt', content: 'mine' }),
        call('delete', { path: '/volume/mine.txt' }),
      ];
      const offered = client === 'codex' ? 'mcp__sallyport' : 'mcp__sallyport__fs_write';
      let [step, idle] = [0, 0];
      await using model = await ScriptedModel.start({
        host: OUTSIDE,
        apiKey: CANARIES.model,
        reply({ tools, raw }) {
          const next = tools.includes(real.shell('').name) ? script[step] : undefined;
          if (next === undefined) return { text: 'done' };
          // A client may begin before its MCP servers answered; a model calls only what it was offered.
          if (!raw.includes(offered) && ++idle <= 100) return { toolCalls: [real.shell('sleep 0.1')] };
          step += 1;
          return { toolCalls: [next] };
        },
      });
      const { port } = new URL(model.url);
      const provider = client === 'codex' ? 'openai' : 'anthropic';
      await using volume = await tempDir();
      await using fixture = await openRunFixture({
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${provider} }]
volumes: [{ name: work, mount: /volume, path: "${volume.path}", mode: rw }]
permissions: ["deny:fs.delete(//**)", "allow:fs.*"]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    exceptions: ["fs.*"]
    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      const ended = await work(client, fixture, model);
      const seen = model.requests.map(({ raw }) => raw).join('\n');
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(readdirSync(volume.path), seen.slice(-3000)).toContain('mine.txt');
      expect(readFileSync(join(volume.path, 'mine.txt'), 'utf8')).toBe('mine');
      expect(seen).toContain('RuleDenied');
    },
  );
});

/** What an agent could leave running in its jail: it kills hooks, the shells around them, and whatever guards them. */
const KILLER = `setsid sh -c 'while sleep 0.01; do pkill -9 -f sallyport-hook.cj[s]; done' > /dev/null 2>&1 &`;

describe('Codex in a jail', () => {
  const real = REAL_CLIENTS.codex;
  const state = requirePartner(real.partner);

  test.skipIf(bwrap.missing || state.missing)(
    `[TO-8] runs nothing any more once a process of the agent's own kills its hooks (${state.install})`,
    async () => {
      await using model = await shellModel('codex', [KILLER, 'sleep 0.2; echo ran > ran.txt']);
      const { port } = new URL(model.url);
      await using fixture = await openRunFixture({
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: openai }]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      const ended = await work('codex', fixture, model);
      const seen = model.requests.map(({ raw }) => raw).join('\n');
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(existsSync(join(fixture.workspace, 'ran.txt')), ended.stderr).toBe(false);
      expect(seen).toContain('the hook did not ask about this call');
    },
  );
});
