import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type PartnerName, requireEngine, requirePartner, ScriptedModel } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { CANARIES, OUTSIDE, openTown, type Town } from './town.ts';

const bwrap = requireEngine('bubblewrap');

interface Partner {
  /** how the client names its shell, and what it hands over */
  readonly shell: (command: string) => { readonly name: string; readonly input: Record<string, unknown> };
  readonly provider: 'anthropic' | 'openai';
  readonly argv: (program: string) => readonly string[];
  readonly env: (model: string) => Readonly<Record<string, string>>;
  /** settings that a person would have, below the home */
  readonly files: (model: string) => Readonly<Record<string, string>>;
}

const PARTNERS: Readonly<Record<PartnerName, Partner>> = {
  claude: {
    shell: (command) => ({ name: 'Bash', input: { command, description: 'run it' } }),
    provider: 'anthropic',
    argv: (program) => [program, '--dangerously-skip-permissions', '-p', 'do it'],
    env: (model) => ({ ANTHROPIC_BASE_URL: model }),
    files: () => ({ '.claude/settings.json': '{"includeCoAuthoredBy":false}' }),
  },
  codex: {
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    provider: 'openai',
    argv: (program) => [program, 'exec', '--skip-git-repo-check', 'do it'],
    env: () => ({}),
    files: (model) => ({
      '.codex/config.toml': `model = "gpt-test"\nmodel_provider = "scripted"\napproval_policy = "never"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`,
    }),
  },
  pi: {
    shell: (command) => ({ name: 'bash', input: { command } }),
    provider: 'anthropic',
    argv: (program) => [
      program,
      '--offline',
      '--no-session',
      '--provider',
      'scripted',
      '--model',
      'm',
      '--mode',
      'json',
      '-p',
      'do it',
    ],
    env: () => ({}),
    files: (model) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          scripted: {
            baseUrl: model,
            api: 'anthropic-messages',
            apiKey: 'ANTHROPIC_API_KEY',
            models: [
              {
                id: 'm',
                name: 'm',
                contextWindow: 100_000,
                maxTokens: 4_000,
                cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
              },
            ],
          },
        },
      }),
    }),
  },
};

/** What the model has the agent do, one after the other. */
const SCRIPT = (town: () => Town): readonly string[] => [
  'echo "written by the agent" > result.txt; ls -A ~/.ssh 2>&1; env | grep -c sp-placeholder',
  `curl -sS -d 'from=agent' ${town().upstream.url}/post`,
];

describe.each(Object.entries(PARTNERS) as [PartnerName, Partner][])(
  'the real %s in a jail',
  (name, partner) => {
    const state = requirePartner(name);

    test.skipIf(bwrap.missing || state.missing)(
      `[CR-1] works, logged in without a key, and asks before it writes (${state.install})`,
      async () => {
        let town: Town | undefined;
        const held = (): Town => {
          if (town === undefined) throw new Error('not open yet');
          return town;
        };
        let step = 0;
        await using model = await ScriptedModel.start({
          host: OUTSIDE,
          apiKey: CANARIES.model,
          reply({ tools }) {
            const { name: tool } = partner.shell('');
            const command = tools.includes(tool) ? SCRIPT(held)[step] : undefined;
            if (command === undefined) return { text: 'done' };
            step += 1;
            return { toolCalls: [partner.shell(command)] };
          },
        });
        const { port } = new URL(model.url);
        town = await openTown({
          config: `providers: [{ host: "${OUTSIDE}:${port}", provider: ${partner.provider} }]`,
          network: `  rules: [{ host: "${OUTSIDE}", port: ${port}, action: allow }, { host: "${OUTSIDE}", action: ask }, { host: "*", action: deny }]`,
          tenant: `    credentials:
      model: { kind: bearer, source: "file:$FOLDER/model.key", hosts: ["${OUTSIDE}"] }`,
          agent: '    credentials: [model]',
        });
        await using _open = town;
        for (const [path, text] of Object.entries(partner.files(model.url))) {
          mkdirSync(dirname(join(town.userHome, path)), { recursive: true });
          writeFileSync(join(town.userHome, path), text);
        }
        const path = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
        const running = town.start(['--json', '--', ...partner.argv(state.program)], {
          ...partner.env(model.url),
          PATH: path,
        });
        const question = await Promise.race([town.answer('1'), running.ended]);
        if ('code' in question) throw new Error(`it never asked: ${question.stdout}${question.stderr}`);
        expect(question.preview).toContain('/post');
        const ended = await running.ended;
        expect(ended.code, ended.stderr).toBe(0);
        expect(model.refusals).toEqual([]);
        expect(readFileSync(join(town.workspace, 'result.txt'), 'utf8')).toBe('written by the agent\n');
        expect(town.upstream.requests.map(({ url, body }) => [url, body])).toEqual([['/post', 'from=agent']]);
        expect(ended.summary()).toMatchObject({ asked: 1, approved: 1, denied: 0 });
        // What the agent saw came back to the model with its next request.
        const seen = model.requests.map(({ raw }) => raw).join('\n');
        expect(seen).toContain('{\\"ok\\":true}');
        for (const canary of Object.values(CANARIES)) expect(seen + ended.stdout).not.toContain(canary);
      },
    );
  },
);
