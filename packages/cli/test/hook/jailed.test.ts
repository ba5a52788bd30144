import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { HOOK_CLIENTS } from '@sallyport/protocol';
import { requireEngine, requirePartner, ScriptedModel, tempDir } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { CANARIES, OUTSIDE, openTown, type Town } from '../run/town.ts';
import { REAL_CLIENTS } from './hook-town.ts';

const bwrap = requireEngine('bubblewrap');

describe.each(HOOK_CLIENTS)('the real %s in a jail', (client) => {
  const real = REAL_CLIENTS[client];
  const state = requirePartner(real.partner);
  const work = (town: Town, model: ScriptedModel) => {
    for (const [path, text] of Object.entries(real.files(model.url))) {
      mkdirSync(dirname(join(town.userHome, path)), { recursive: true });
      writeFileSync(join(town.userHome, path), text);
    }
    return town.run(['--json', '--', state.program, ...real.argv], {
      ...real.env(model.url),
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    });
  };

  test.skipIf(bwrap.missing || state.missing)(
    `has its tools judged by their names too, and local work asks nobody (${state.install})`,
    async () => {
      const script = ['echo mine > mine.txt && cat mine.txt', 'rm mine.txt'];
      let step = 0;
      await using model = await ScriptedModel.start({
        host: OUTSIDE,
        apiKey: CANARIES.model,
        reply({ tools }) {
          const command = tools.includes(real.shell('').name) ? script[step] : undefined;
          if (command === undefined) return { text: 'done' };
          step += 1;
          return { toolCalls: [real.shell(command)] };
        },
      });
      const { port } = new URL(model.url);
      const provider = client === 'codex' ? 'openai' : 'anthropic';
      await using town = await openTown({
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${provider} }]
permissions: ["deny:Bash(rm *)"]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      const ended = await work(town, model);
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(existsSync(join(town.workspace, 'mine.txt'))).toBe(true);
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
      await using town = await openTown({
        config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${provider} }]
volumes: [{ name: work, mount: /volume, path: "${volume.path}", mode: rw }]
permissions: ["deny:fs.delete", "allow:fs.*"]`,
        network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "*", action: deny }]`,
        tenant: `    exceptions: ["fs.*"]
    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
        agent: '    credentials: [model]',
      });
      const ended = await work(town, model);
      const seen = model.requests.map(({ raw }) => raw).join('\n');
      expect(ended.code, ended.stdout + ended.stderr).toBe(0);
      expect(readdirSync(volume.path), seen.slice(-3000)).toContain('mine.txt');
      expect(readFileSync(join(volume.path, 'mine.txt'), 'utf8')).toBe('mine');
      expect(seen).toContain('RuleDenied');
    },
  );
});
