import { execFileSync, spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname, join } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { createJailGroup, type JailSpec, prepareJail, spawnJail } from '../../src/sandbox/jail/index.ts';
import { type Places, SECRET } from './escapes/escape.ts';

export interface Outcome {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly output: string;
}

/** A host with everything that an agent would like to reach, and a jail in it. */
export interface JailHost extends AsyncDisposable {
  readonly places: Places;
  /** a spec for one jail; `sockets` lead to a server that says `gateway` */
  spec(over?: Partial<JailSpec>): JailSpec;
  /** Runs a script in a jail with control groups where the machine has them. */
  run(script: string, over?: Partial<JailSpec>, options?: { readonly groups?: boolean }): Promise<Outcome>;
}

const SECRETS = [
  ...[
    '.ssh/id_ed25519',
    '.aws/credentials',
    '.config/gh/hosts.yml',
    '.config/gcloud/credentials.db',
    '.netrc',
  ],
  ...['.kube/config', '.local/share/keyrings/login.keyring', '.sallyport/operator.token', 'project/.env'],
  'project/packages/app/.env.local',
  ...['project/prod.env', 'project/.flaskenv', 'project/.dev.vars', 'project/deploy/PROD.ENV'],
  ...['project/node_modules/moved/here/.env', 'project/.git/moved/.env', 'project/.kube/config'],
];
/** Whose content tells. */
const KEYS: Readonly<Record<string, string>> = {
  'project/tls/server.pem': `-----BEGIN PRIVATE KEY-----\n${SECRET}\n`,
  'project/sa.json': `{"type": "service_account", "private_key": "${SECRET}"}`,
  'project/.npmrc': `//r.example/:_authToken=${SECRET}`,
};

export interface TestUser {
  readonly uid: number;
  readonly gid: number;
}

export const NOBODY: TestUser = { uid: 65_534, gid: 65_534 };

/** As another user: bwrap is started by `setpriv`, and everything of the host belongs to that user. */
export async function startJailHost(user?: TestUser): Promise<JailHost> {
  const folder = await tempDir();
  const home = join(folder.path, 'home');
  const workspace = join(home, 'project');
  const gatewayHome = join(home, '.sallyport');
  const beside = join(home, 'beside');
  for (const file of [...SECRETS, ...Object.keys(KEYS)]) {
    mkdirSync(dirname(join(home, file)), { recursive: true });
    writeFileSync(join(home, file), KEYS[file] ?? `${SECRET}\n`);
  }
  mkdirSync(beside);
  mkdirSync(join(workspace, 'node_modules/.cache'), { recursive: true });
  symlinkSync(join(home, '.ssh/id_ed25519'), join(workspace, 'link-to-secret'));
  symlinkSync(beside, join(workspace, 'link-to-beside'));

  if (user !== undefined) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, folder.path]);
  const asUser: readonly string[] =
    user === undefined
      ? []
      : ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups', '--'];

  const servers: Server[] = [];
  const serve = async (
    at: { port: number; host: string } | { path: string },
    word: string,
  ): Promise<Server> => {
    const server = createServer((socket: Socket) => socket.on('error', () => undefined).end(`${word}\n`));
    const open = 'path' in at && at.path.startsWith('/');
    servers.push(server.listen({ ...at, readableAll: open, writableAll: open }));
    await once(server, 'listening');
    return server;
  };
  const hostSocket = join(folder.path, 'docker.sock');
  const abstractName = `sallyport-test-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const tcp = await serve({ port: 0, host: '127.0.0.1' }, 'ESCAPED');
  await serve({ path: hostSocket }, 'ESCAPED');
  await serve({ path: `\0${abstractName}` }, 'ESCAPED');
  await serve({ path: join(gatewayHome, 'operator.sock') }, 'ESCAPED');
  await serve({ path: join(workspace, 'server.sock') }, 'ESCAPED');
  await serve({ path: join(workspace, 'node_modules/.cache/daemon.sock') }, 'ESCAPED');
  await serve({ path: join(gatewayHome, 'session.sock') }, 'gateway');
  const udp = createSocket('udp4').bind(0, '127.0.0.1');
  await once(udp, 'listening');
  const [program = 'sleep', ...args] = [...asUser, 'sleep', '600'];
  const stand = spawn(program, args, {
    env: { PATH: '/usr/bin:/bin', GATEWAY_SECRET: SECRET },
    stdio: 'ignore',
  });
  const address = tcp.address();

  const places: Places = {
    ...{ home, gatewayHome, workspace, beside, hostSocket, abstractName },
    tcpPort: typeof address === 'object' && address !== null ? address.port : 0,
    udpPort: udp.address().port,
    gatewayPid: stand.pid ?? 0,
  };
  const spec = (over: Partial<JailSpec> = {}): JailSpec => ({
    ...{ workspace, cwd: workspace, writable: [], readOnly: [], hidden: [], userHome: home, gatewayHome },
    ...{ home: { path: home, files: [] }, envFiles: 'masked', allowHome: false, limits: {}, tty: false },
    env: { PATH: '/usr/bin:/bin:/usr/sbin', HOME: home },
    command: ['true'],
    sockets: [{ port: 7181, path: join(gatewayHome, 'session.sock') }],
    user: { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, ...user, name: 'agent' },
    hostname: 'jail',
    ...over,
  });
  return {
    places,
    spec,
    run: async (script, over = {}, { groups = true } = {}) => {
      const wanted = spec({ command: ['bash', '-c', script], ...over });
      const group = groups && user === undefined ? createJailGroup(wanted.limits) : undefined;
      try {
        const launch = prepareJail(wanted, group);
        const [first = launch.program, ...rest] = [...asUser, launch.program, ...launch.args];
        const started = { ...launch, program: first, args: rest };
        return await outcomeOf(spawnJail(started, ['ignore', 'pipe', 'pipe']));
      } finally {
        await group?.remove();
      }
    },
    [Symbol.asyncDispose]: async () => {
      stand.kill('SIGKILL');
      udp.close();
      for (const server of servers) server.close();
      await folder.remove();
    },
  };
}

async function outcomeOf(child: ReturnType<typeof spawnJail>): Promise<Outcome> {
  let output = '';
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (output += text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (output += text));
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null];
  return { code, signal, output };
}
