import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import type { ApprovalDetail, RunSummary } from '@sallyport/protocol';
import {
  createTestCa,
  type HttpsUpstream,
  startHttpsUpstream,
  startTestGateway,
  type TestGateway,
  tempDir,
  waitUntil,
} from '@sallyport/testkit';

/** Not 127.0.0.1: that is the jail's own, and no proxy is asked for it. */
export const OUTSIDE = '127.0.0.2';
export const PROGRAM = join(import.meta.dirname, '../../bin/sallyport.js');

/** A gateway, a person's home full of secrets, a workspace, and a server outside. */
export interface RunFixture extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly upstream: HttpsUpstream;
  readonly workspace: string;
  readonly userHome: string;
  /** PEM of the authority that vouches for servers outside */
  readonly ca: Awaited<ReturnType<typeof createTestCa>>;
  /** the environment that a person runs things in, secrets included */
  env(): Record<string, string>;
  /** `sallyport run …`, in the workspace, without a terminal */
  start(argv: readonly string[], env?: Readonly<Record<string, string>>): Running;
  run(argv: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  /** A script of the shell in the jail. */
  shell(script: string, flags?: readonly string[]): Promise<Ended>;
  /** Waits for the next open question and answers it. What was asked. */
  answer(code: string): Promise<ApprovalDetail>;
  pending(): Promise<readonly ApprovalDetail[]>;
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  /** with `--json` */
  summary(): RunSummary;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  stdout(): string;
}

/** What nobody inside may ever see. */
export const CANARIES = {
  ssh: 'canary-ssh-3f9a71',
  aws: 'canary-aws-77b0c2',
  env: 'canary-env-c81d40',
  model: 'canary-model-key-5e2f19',
} as const;

export interface RunFixtureOptions {
  /** more of the config, at its top level */
  readonly config?: string;
  readonly network?: string;
  /** more of the tenant */
  readonly tenant?: string;
  readonly agent?: string;
  readonly handler?: Parameters<typeof startHttpsUpstream>[0]['handler'];
  readonly heartbeatMs?: number;
  /** who vouches for servers outside; a new authority unless given */
  readonly ca?: Awaited<ReturnType<typeof createTestCa>>;
  /** address of the server outside, and what its certificate says besides */
  readonly host?: string;
  readonly names?: readonly string[];
}

export async function openRunFixture(options: RunFixtureOptions = {}): Promise<RunFixture> {
  const dir = await tempDir();
  const [workspace, userHome] = [join(dir.path, 'a project'), join(dir.path, 'home')];
  const ca = options.ca ?? (await createTestCa());
  writeFileSync(join(dir.path, 'outside.pem'), ca.cert);
  mkdirSync(workspace);
  for (const [path, text] of [
    ['.ssh/id_ed25519', CANARIES.ssh],
    ['.aws/credentials', CANARIES.aws],
    ['.gitconfig', '[user]\n\tname = Ana\n\temail = ana@example.com\n'],
  ] as const) {
    mkdirSync(dirname(join(userHome, path)), { recursive: true });
    writeFileSync(join(userHome, path), text, { mode: 0o600 });
  }
  const upstream = await startHttpsUpstream({
    ca,
    host: options.host ?? OUTSIDE,
    ...(options.names === undefined ? {} : { names: options.names }),
    ...(options.handler === undefined ? {} : { handler: options.handler }),
  });
  writeFileSync(join(dir.path, 'model.key'), CANARIES.model, { mode: 0o600 });
  const gateway = await startTestGateway({
    config: configText(options, dir.path),
    ...(options.heartbeatMs === undefined ? {} : { heartbeatMs: options.heartbeatMs }),
  });
  chmodSync(userHome, 0o700);
  const ownEnv = () => ({
    PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: userHome,
    USER: 'ana',
    TERM: 'xterm-256color',
    SALLYPORT_HOME: gateway.home,
    // Compiled code is shared with whoever else starts it here.
    XDG_CACHE_HOME: process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'),
    SOME_SECRET: CANARIES.env,
    AWS_SECRET_ACCESS_KEY: CANARIES.env,
  });
  const start: RunFixture['start'] = (argv, env) =>
    startProcess([PROGRAM, 'run', ...argv], workspace, { ...ownEnv(), ...env });
  const pending: RunFixture['pending'] = async () =>
    (await gateway.operator('/v1/approvals?status=pending')).json<{ items: ApprovalDetail[] }>().items;
  return {
    ...{ gateway, upstream, workspace, userHome, ca, start, pending, env: ownEnv },
    run: (argv, env) => start(argv, env).ended,
    shell: (script, flags = []) => start([...flags, '--', '/bin/bash', '-c', script]).ended,
    async answer(code) {
      const question = await waitUntil('a question', async () => (await pending())[0]);
      const answer = await gateway.operator(`/v1/approvals/${question.id}/decision`, { json: { code } });
      if (answer.status !== 200) throw new Error(answer.text);
      return question;
    },
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await upstream.close();
      await dir.remove();
    },
  };
}

function configText(
  { config = '', network = '', tenant = '', agent = '', host = OUTSIDE }: RunFixtureOptions,
  folder: string,
): string {
  return `
tenants:
  default:
    default_user: tester
    default_agent: dev
    users: { tester: { roles: [owner], identities: { terminal: tester } } }
${tenant.replaceAll('$FOLDER', folder)}
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents:
  dev:
    permissions: ["allow:*"]
${agent}
network:
  default: ask
  allow_private: ["${host}"]
  ca_files: [${JSON.stringify(join(folder, 'outside.pem'))}]
${network}
${config}
`;
}

function startProcess(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Running {
  const child = spawn(process.execPath, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk) => {
    stdout += String(chunk);
  });
  child.stderr.on('data', (chunk) => {
    stderr += String(chunk);
  });
  const ended = new Promise<Ended>((resolve) => {
    child.once('close', (code, signal) =>
      resolve({
        ...{ code, signal, stdout, stderr },
        summary: () => JSON.parse(stderr.trim().split('\n').at(-1) ?? '').run as RunSummary,
      }),
    );
  });
  return { process: child, ended, stdout: () => stdout };
}
