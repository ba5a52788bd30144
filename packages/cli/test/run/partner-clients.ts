import type { PartnerName } from '@sallyport/testkit';
import { CANARIES } from './run-fixture.ts';

/** How a real client is driven by a model that follows a script. */
export interface PartnerClient {
  /** how the client names its shell, and what it hands over */
  readonly shell: (command: string) => { readonly name: string; readonly input: Record<string, unknown> };
  readonly provider: 'anthropic' | 'openai';
  /** one task from the command line, without a person */
  readonly task: readonly string[];
  /** a conversation: what it is started with, what shows that it listens, and how a person leaves */
  readonly talk: {
    readonly args: string;
    readonly listens: RegExp;
    readonly shell: string;
    readonly quit: string;
  };
  /** the conversation before: how it is asked for, from the command line */
  readonly resume: string;
  readonly env: (model: string) => Readonly<Record<string, string>>;
  /** settings that a person would have, below the home */
  readonly files: (model: string) => Readonly<Record<string, string>>;
}

export const CLIENTS: Readonly<Record<PartnerName, PartnerClient>> = {
  claude: {
    shell: (command) => ({ name: 'Bash', input: { command, description: 'run it' } }),
    provider: 'anthropic',
    task: ['--dangerously-skip-permissions', '-p', 'do it'],
    talk: {
      ...{ args: '--dangerously-skip-permissions', listens: /bypass permissions on/ },
      ...{ shell: 'Ran 1 shell command', quit: '/exit' },
    },
    resume: '--dangerously-skip-permissions --continue',
    env: (model) => ({ ANTHROPIC_BASE_URL: model }),
    files: () => ({
      '.claude/settings.json': '{"includeCoAuthoredBy":false}',
      '.claude.json': JSON.stringify({
        ...{ theme: 'dark', bypassPermissionsModeAccepted: true, oauthAccount: { token: CANARIES.env } },
      }),
    }),
  },
  codex: {
    shell: (command) => ({ name: 'exec_command', input: { cmd: command, yield_time_ms: 30_000 } }),
    provider: 'openai',
    task: ['exec', '--skip-git-repo-check', 'do it'],
    talk: { args: '', listens: /Ask Codex to do anything/, shell: 'Ran echo hello', quit: '/quit' },
    resume: 'resume --last',
    env: () => ({}),
    files: (model) => ({
      '.codex/config.toml': `model = "gpt-test"\nmodel_provider = "scripted"\napproval_policy = "never"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`,
    }),
  },
  pi: {
    shell: (command) => ({ name: 'bash', input: { command } }),
    provider: 'anthropic',
    task: ['--offline', '--no-session', '--provider', 'scripted', '--model', 'm', '-p', 'do it'],
    talk: {
      ...{ args: '--offline --provider scripted --model m', listens: /\(scripted\) m/ },
      ...{ shell: '$ echo hello', quit: '/quit' },
    },
    resume: '--offline --provider scripted --model m --continue',
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
