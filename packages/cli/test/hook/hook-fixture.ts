import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { ApprovalDetail, HookClient } from '@sallyport/protocol';
import {
  requirePartner,
  ScriptedModel,
  startTestGateway,
  type TestGateway,
  tempDir,
  waitUntil,
} from '@sallyport/testkit';
import { PROGRAM } from '../run/run-fixture.ts';

const KEY = 'any-key';

/** How a real client is started, and how its model calls the shell. */
interface RealClient {
  readonly partner: 'claude' | 'codex' | 'pi';
  readonly shell: (command: string) => ToolCall;
  readonly argv: readonly string[];
  readonly env: (model: string) => Readonly<Record<string, string>>;
  /** settings that a person would have, below the home */
  readonly files: (model: string) => Readonly<Record<string, string>>;
}

export const REAL_CLIENTS: Readonly<Record<HookClient, RealClient>> = {
  'claude-code': {
    partner: 'claude',
    shell: (command) => ({ name: 'Bash', input: { command, description: 'run it' } }),
    // Its own questions are off: what stops a tool here is the hook.
    argv: ['--dangerously-skip-permissions', '-p', 'do it'],
    env: (model) => ({
      ANTHROPIC_BASE_URL: model,
      ANTHROPIC_API_KEY: KEY,
      IS_SANDBOX: '1',
      DISABLE_AUTOUPDATER: '1',
    }),
    files: () => ({ '.claude/settings.json': '{\n  "includeCoAuthoredBy": false\n}\n' }),
  },
  codex: {
    partner: 'codex',
    shell: (command) => ({ name: 'exec_command', input: { cmd: command } }),
    argv: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', 'do it'],
    env: () => ({ OPENAI_API_KEY: KEY }),
    files: (model) => ({
      '.codex/config.toml': `model = "gpt-test"\nmodel_provider = "scripted"\n[model_providers.scripted]\nname = "scripted"\nbase_url = "${model}/v1"\nwire_api = "responses"\nenv_key = "OPENAI_API_KEY"\n`,
    }),
  },
  pi: {
    partner: 'pi',
    shell: (command) => ({ name: 'bash', input: { command } }),
    argv: [
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
    env: () => ({ PI_TELEMETRY: '0', PI_SKIP_VERSION_CHECK: '1' }),
    files: (model) => ({ '.pi/agent/models.json': JSON.stringify(piModels(model)) }),
  },
};

function piModels(baseUrl: string): object {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const models = [{ id: 'm', name: 'm', contextWindow: 100_000, maxTokens: 4_000, cost }];
  return { providers: { scripted: { baseUrl, api: 'anthropic-messages', apiKey: KEY, models } } };
}

interface ToolCall {
  readonly name: string;
  readonly namespace?: string;
  readonly input: Record<string, unknown>;
}

/** A gateway, a person's home with a client's settings, and a model that has the client run commands. */
export interface HookFixture extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly userHome: string;
  readonly workspace: string;
  readonly env: Record<string, string>;
  /** `sallyport …` as that person */
  cli(...argv: readonly string[]): Promise<Ended>;
  /** The client works off the commands, or calls of other tools; what its model saw in the end. */
  work(commands: readonly (string | ToolCall)[]): Promise<Ended & { readonly seen: string }>;
  /** Waits for the next question and answers it. */
  answer(decision: Readonly<Record<string, unknown>>): Promise<ApprovalDetail>;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `as`: how the client is started, when not as a program of its own. */
export async function openHookFixture(
  client: HookClient,
  more = '',
  as?: (program: string) => readonly [program: string, ...argv: string[]],
): Promise<HookFixture> {
  const real = REAL_CLIENTS[client];
  const partner = requirePartner(real.partner);
  const [program, ...argv] = as?.(partner.program) ?? [partner.program, ...real.argv];
  const dir = await tempDir();
  const [userHome, workspace] = [join(dir.path, 'home'), join(dir.path, 'work')];
  mkdirSync(workspace, { recursive: true });
  let [script, step, idle]: [readonly (string | ToolCall)[], number, number] = [[], 0, 0];
  const { name: shell } = real.shell('');
  const model = await ScriptedModel.start({
    apiKey: KEY,
    reply({ tools, raw }) {
      const command = tools.includes(shell) ? script[step] : undefined;
      if (command === undefined) return { text: 'done' };
      const call = typeof command === 'string' ? real.shell(command) : command;
      // A client may begin before its MCP servers answered; a model calls only what it was offered.
      if (!raw.includes(call.namespace ?? call.name) && ++idle <= 100) {
        return { toolCalls: [real.shell('sleep 0.1')] };
      }
      step += 1;
      return { toolCalls: [call] };
    },
  });
  const gateway = await startTestGateway({ config: `${CONFIG}${more.replaceAll('$WORK', workspace)}` });
  for (const [path, text] of Object.entries(real.files(model.url))) {
    mkdirSync(dirname(join(userHome, path)), { recursive: true });
    writeFileSync(join(userHome, path), text);
  }
  const env = {
    // With the client in it, as for a person: `install` asks some for their version.
    PATH: `${dirname(process.execPath)}:${dirname(partner.program)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: userHome,
    SALLYPORT_HOME: gateway.home,
    TERM: 'dumb',
  };
  return {
    ...{ gateway, userHome, workspace, env },
    cli: (...argv) => run(process.execPath, [PROGRAM, ...argv], workspace, env),
    async work(commands) {
      [script, step, idle] = [commands, 0, 0];
      const before = model.requests.length;
      const ended = await run(program, argv, workspace, { ...env, ...real.env(model.url) });
      return {
        ...ended,
        seen: model.requests
          .slice(before)
          .map(({ raw }) => raw)
          .join('\n'),
      };
    },
    async answer(decision) {
      const question = await waitUntil('a question', async () => (await pending(gateway))[0]);
      const answer = await gateway.operator(`/v1/approvals/${question.id}/decision`, { json: decision });
      if (answer.status !== 200) throw new Error(answer.text);
      return question;
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await model[Symbol.asyncDispose]();
      await dir.remove();
    },
  };
}

async function pending(gateway: TestGateway): Promise<readonly ApprovalDetail[]> {
  return (await gateway.operator('/v1/approvals?status=pending')).json<{ items: ApprovalDetail[] }>().items;
}

const CONFIG = `
tenants:
  default:
    default_user: tester
    default_agent: dev
    users: { tester: { roles: [owner], identities: { terminal: tester } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents:
  dev:
    permissions: ["deny:Bash(rm *)", "deny:fs.delete(//**)", "ask:Bash(touch *)", "ask:fs.create", "allow:*"]
`;

function run(
  program: string,
  argv: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<Ended> {
  const child = spawn(program, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: 100_000 });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}
