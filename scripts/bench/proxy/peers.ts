import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A proxy that runs: where, which process, and whose certificates it makes. */
export interface RunningProxy {
  readonly name: string;
  readonly port: number;
  readonly pid: number;
  readonly authorization?: string;
  /** PEM: what its clients must trust */
  readonly ca: string;
  stop(): Promise<void>;
}

export interface PeerOptions {
  readonly folder: string;
  /** PEM files of the authority that it makes leaves with, and of the one that signed the upstream */
  readonly caKeyFile: string;
  readonly caFile: string;
  readonly ca: string;
  readonly upstreamCaFile: string;
}

const CERTGEN = '/usr/lib/squid/security_file_certgen';

/** Squid with ssl-bump: every host intercepted, one header added, no cache, no log. */
export async function startSquid(options: PeerOptions): Promise<RunningProxy> {
  const squid = need('squid', 'squid-openssl');
  if (!existsSync(CERTGEN)) throw new Error('squid is installed without TLS: install `squid-openssl`');
  const folder = join(options.folder, 'squid');
  mkdirSync(folder, { recursive: true });
  const port = await freePort();
  const db = join(folder, 'ssl_db');
  spawnSync(CERTGEN, ['-c', '-s', db, '-M', '4MB']);
  const config = join(folder, 'squid.conf');
  writeFileSync(
    config,
    [
      `http_port 127.0.0.1:${port} ssl-bump generate-host-certificates=on dynamic_cert_mem_cache_size=4MB cert=${options.caFile} key=${options.caKeyFile}`,
      `sslcrtd_program ${CERTGEN} -s ${db} -M 4MB`,
      `tls_outgoing_options cafile=${options.upstreamCaFile}`,
      'acl step1 at_step SslBump1',
      'ssl_bump peek step1',
      'ssl_bump bump all',
      'http_access allow all',
      'request_header_add Authorization "Bearer bench-token-of-forty-letters-0123456789" all',
      'cache deny all',
      'access_log none',
      'cache_log /dev/null',
      `pid_filename ${join(folder, 'squid.pid')}`,
      `coredump_dir ${folder}`,
      'shutdown_lifetime 0 seconds',
      'workers 1',
      'max_filedescriptors 16384',
      'hosts_file /etc/hosts',
    ].join('\n'),
  );
  // Squid gives up root: it must be able to read what it needs as its own user.
  if (process.getuid?.() === 0) spawnSync('chown', ['-R', 'proxy:proxy', folder]);
  for (const file of [options.caFile, options.caKeyFile, options.upstreamCaFile]) chmodSync(file, 0o644);
  chmodSync(options.folder, 0o755);
  const child = spawn(squid, ['-N', '-f', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  return running('squid', child, port, options.ca);
}

/** mitmdump with one header added. */
export async function startMitmproxy(options: PeerOptions): Promise<RunningProxy> {
  const mitmdump = need('mitmdump', 'mitmproxy');
  const folder = join(options.folder, 'mitmproxy');
  mkdirSync(folder, { recursive: true });
  const pem = spawnSync('cat', [options.caKeyFile, options.caFile], { encoding: 'utf8' }).stdout;
  writeFileSync(join(folder, 'mitmproxy-ca.pem'), pem);
  const port = await freePort();
  const child = spawn(
    mitmdump,
    [
      '-q',
      ...['--listen-host', '127.0.0.1', '-p', String(port)],
      ...['--set', `confdir=${folder}`],
      ...['--set', `ssl_verify_upstream_trusted_ca=${options.upstreamCaFile}`],
      ...['--set', 'http2=false'],
      ...['--modify-headers', '/~q/Authorization/Bearer bench-token-of-forty-letters-0123456789'],
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  return running('mitmproxy', child, port, options.ca);
}

function need(program: string, what: string): string {
  const found = spawnSync('sh', ['-c', `command -v ${program}`], { encoding: 'utf8' }).stdout.trim();
  if (found === '')
    throw new Error(`${program} is missing: install it with \`npm run bench:setup\` (${what})`);
  return found;
}

async function running(name: string, child: ChildProcess, port: number, ca: string): Promise<RunningProxy> {
  const { pid } = child;
  if (pid === undefined) throw new Error(`${name} did not start`);
  const exited = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  await untilListening(port, name, () => child.exitCode !== null);
  return {
    name,
    port,
    pid,
    ca,
    async stop() {
      child.kill('SIGKILL');
      await exited;
    },
  };
}

async function untilListening(port: number, name: string, hasEnded: () => boolean): Promise<void> {
  for (let attempt = 0; attempt < 300; attempt += 1) {
    if (hasEnded()) throw new Error(`${name} ended at once`);
    const { status } = spawnSync('sh', [
      '-c',
      `grep -q ":$(printf %04X ${port}) 00000000:0000 0A" /proc/net/tcp`,
    ]);
    if (status === 0) return;
    await sleep(100);
  }
  throw new Error(`${name} does not listen after 30 s`);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = server.address();
  await new Promise((resolve) => server.close(() => resolve(undefined)));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}
