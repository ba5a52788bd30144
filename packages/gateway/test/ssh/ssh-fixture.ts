import { spawn } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestGateway, type TempDir, type TestGateway, tempDir } from '@sallyport/testkit';

export interface SshConfig {
  readonly credentials?: string;
  readonly lent?: readonly string[];
  readonly permissions?: readonly string[];
  readonly mode?: 'strict' | 'cautious';
  readonly exceptions?: readonly string[];
  readonly network?: string;
  /** more of the top level */
  readonly more?: string;
}

export function sshConfig(config: SshConfig = {}): string {
  return `
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [member] } }
    mode: ${config.mode ?? 'cautious'}
    exceptions: ${JSON.stringify(config.exceptions ?? [])}
    credentials: ${config.credentials ?? '{}'}
roles:
  member: { allow: ["agent:*", "tool:*", "approve:*"] }
agents:
  dev:
    permissions: ${JSON.stringify(config.permissions ?? ['allow:*'])}
    credentials: ${JSON.stringify(config.lent ?? [])}
network: ${config.network ?? '{ default: allow }'}
${config.more ?? ''}
`;
}

/** A gateway with programs of the test first on its PATH, and the real client of OpenSSH toward it. */
export interface SshPlace extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly token: string;
  readonly dir: TempDir;
  /** Runs `ssh … agent@gateway COMMAND`. */
  ssh(command: string | undefined, options?: SshRun): Promise<Ran>;
  /** Runs another program beside the gateway. */
  program(name: string, args: readonly string[]): Promise<Ran>;
  /** Starts it, for whoever wants to end it. */
  start(command: string | undefined, options?: SshRun): Started;
}

export interface SshRun {
  readonly flags?: readonly string[];
  readonly input?: string;
  readonly token?: string;
  /** its input does not end */
  readonly isOpen?: boolean;
}

export interface Ran {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly child: ReturnType<typeof spawn>;
  readonly ended: Promise<Ran>;
  stderr(): string;
  stdout(): string;
}

/** `programs`: name → script in sh. */
export async function openSsh(
  config: SshConfig = {},
  programs: Readonly<Record<string, string>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<SshPlace> {
  const dir = await tempDir();
  const bin = join(dir.path, 'bin');
  await mkdir(bin);
  for (const [name, script] of Object.entries(programs)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const gateway = await startTestGateway({
    config: sshConfig(config),
    env: { PATH: `${bin}:/usr/local/bin:/usr/bin:/bin`, HOME: dir.path, ...env },
  });
  const { session_token: token } = await gateway.openSession();
  // ssh asks a program for the password when it has no terminal; this one says the token.
  const ask = join(dir.path, 'ask');
  await writeFile(ask, '#!/bin/sh\nprintf "%s\\n" "$SESSION_TOKEN"\n');
  await chmod(ask, 0o755);
  const start = (command: string | undefined, run: SshRun = {}): Started => {
    const words = [
      ...['-F', '/dev/null', '-o', 'StrictHostKeyChecking=no', '-o', 'UserKnownHostsFile=/dev/null'],
      ...['-o', 'LogLevel=ERROR', '-o', 'NumberOfPasswordPrompts=1'],
      ...[...(run.flags ?? []), '-p', String(gateway.ports.ssh), 'agent@127.0.0.1'],
      ...(command === undefined ? [] : [command]),
    ];
    return spawned('ssh', words, run);
  };
  const spawned = (program: string, args: readonly string[], run: SshRun): Started => {
    const child = spawn(program, args, {
      env: {
        ...{ PATH: '/usr/local/bin:/usr/bin:/bin', HOME: dir.path, SESSION_TOKEN: run.token ?? token },
        ...{ SSH_ASKPASS: ask, SSH_ASKPASS_REQUIRE: 'force', DISPLAY: ':0', LC_NAME: 'de_DE.UTF-8' },
      },
      detached: true,
    });
    const out = { stdout: '', stderr: '' };
    for (const channel of ['stdout', 'stderr'] as const)
      child[channel].setEncoding('utf8').on('data', (text: string) => {
        out[channel] += text;
      });
    child.stdin.on('error', () => undefined);
    if (run.input !== undefined || run.isOpen !== true) child.stdin.end(run.input ?? '');
    const ended = new Promise<Ran>((resolve) => {
      child.once('close', (code, signal) => resolve({ code, signal, ...out }));
    });
    return { child, ended, stderr: () => out.stderr, stdout: () => out.stdout };
  };
  return {
    ...{ gateway, token, dir, start },
    ssh: (command, run) => start(command, run).ended,
    program: (name, args) => spawned(name, args, {}).ended,
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await dir.remove();
    },
  };
}
