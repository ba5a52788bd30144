import { existsSync, readdirSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { PORT_NAMES, PORTS } from '@sallyport/protocol';
import type { ConfigCheck } from './checks/config-check.ts';
import type { DoctorCheck, DoctorResult } from './doctor-check.ts';
import { inspectFolder } from './home.ts';
import { loadConfig, problemsOf } from './load-config.ts';
import { ApiSchema } from './sections/api.ts';
import { takesSockets } from './socket-folder.ts';
import type { Variables } from './source/expand-variables.ts';

const OLDEST_NODE = 26;
const MEGABYTE = 1_048_576;
const FAIL_BELOW_MB = 100;
const WARN_BELOW_MB = 1_024;

/** What the version of Node means; split out so that any version can be asked about. */
export function judgeNodeVersion(version: string): DoctorResult {
  const major = Number(version.replace(/^v/, '').split('.')[0]);
  return major >= OLDEST_NODE
    ? { status: 'ok', message: `Node ${version}` }
    : {
        status: 'fail',
        message: `Node ${version} is too old, ${OLDEST_NODE} is needed`,
        fix: 'start it with `npm start`, which brings its own Node, or install a newer one',
      };
}

const nodeVersion: DoctorCheck = {
  id: 'ground.node',
  title: 'Node version',
  run: async () => judgeNodeVersion(process.versions.node),
};

const home: DoctorCheck = {
  id: 'ground.home',
  title: 'home folder',
  run: async ({ paths }) => {
    if (isMissing(paths.home)) {
      return { status: 'ok', message: `\`${paths.home}\` does not exist yet; the first start makes it` };
    }
    const problem = inspectFolder(paths.home);
    if (problem !== undefined) {
      const { message, hint } = problem;
      return { status: 'fail', message, ...(hint === undefined ? {} : { fix: hint }) };
    }
    if ((statSync(paths.home).mode & 0o077) !== 0) {
      return {
        status: 'warn',
        message: `others may look into \`${paths.home}\``,
        fix: `chmod 700 ${paths.home}`,
      };
    }
    if (!takesSockets(dirname(paths.operatorSocket))) {
      return {
        status: 'warn',
        message: `\`${paths.home}\` is on a disk that takes no unix sockets, as many network disks`,
        fix: 'set XDG_RUNTIME_DIR to a folder of your own on a local disk, or move the home to one with SALLYPORT_HOME',
      };
    }
    return { status: 'ok', message: `\`${paths.home}\` belongs to you alone` };
  },
};

const config: DoctorCheck = {
  id: 'ground.config',
  title: 'config',
  run: async ({ paths, env, configChecks }) => {
    if (!existsSync(paths.config)) {
      return { status: 'ok', message: `\`${paths.config}\` does not exist yet; the first start writes it` };
    }
    try {
      const { warnings } = loadConfig({ file: paths.config, env, checks: configChecks });
      const [first] = warnings;
      return first === undefined
        ? { status: 'ok', message: `\`${paths.config}\` is valid` }
        : {
            status: 'warn',
            message: first.message,
            ...(first.hint === undefined ? {} : { fix: first.hint }),
          };
    } catch (error) {
      const count = problemsOf(error).length;
      if (!(error instanceof Error) || count === 0) throw error;
      return { status: 'fail', message: error.message, fix: `sallyport config check ${paths.config}` };
    }
  },
};

const diskSpace: DoctorCheck = {
  id: 'ground.disk',
  title: 'disk space',
  run: async ({ paths }) => {
    const disk = await statfs(nearestExisting(paths.home));
    return judgeDiskSpace((disk.bavail * disk.bsize) / MEGABYTE);
  },
};

/** What the free space means: the trail cannot be written on a full disk, and then every write is refused. */
export function judgeDiskSpace(freeMb: number): DoctorResult {
  const message = `${Math.floor(freeMb)} MB free`;
  if (freeMb >= WARN_BELOW_MB) return { status: 'ok', message };
  const fix = 'free some disk space, or move the home with SALLYPORT_HOME';
  return { status: freeMb < FAIL_BELOW_MB ? 'fail' : 'warn', message, fix };
}

const files: DoctorCheck = {
  id: 'ground.files',
  title: 'secret files',
  run: async ({ paths }) => {
    const named = [paths.operatorToken, paths.apiKey, paths.enrollmentSecret, paths.inboxSecret, paths.caKey];
    const secrets = join(paths.home, 'secrets');
    const typed = existsSync(secrets) ? readdirSync(secrets).map((name) => join(secrets, name)) : [];
    const there = [...named, ...typed, paths.config].filter((file) => existsSync(file));
    const open = there.filter((file) => (statSync(file).mode & 0o077) !== 0);
    const [first] = open;
    if (first === undefined) return { status: 'ok', message: `${there.length} files are for you alone` };
    const isConfig = open.every((file) => file === paths.config);
    return {
      status: isConfig ? 'warn' : 'fail',
      message: `others may read or change \`${first}\`${open.length > 1 ? ` and ${open.length - 1} more` : ''}`,
      fix: `chmod 600 ${open.join(' ')}${isConfig ? '' : ', and replace what others may have read'}`,
    };
  },
};

const ports: DoctorCheck = {
  id: 'ground.ports',
  title: 'ports',
  run: async ({ paths, env, configChecks }) => {
    if (existsSync(paths.runtime)) return { status: 'ok', message: 'a gateway of this home has them' };
    const { host, ports: wanted } = ApiSchema.parse(apiOf(paths.config, env, configChecks));
    const free = await Promise.all(PORT_NAMES.map((name) => isFree(wanted[name], host)));
    const taken = PORT_NAMES.filter((_name, at) => free[at] === false);
    const [first] = taken;
    if (first === undefined) return { status: 'ok', message: 'all of them are free' };
    return {
      status: 'fail',
      message: `another program has port ${wanted[first]}, which is for ${PORTS[first].about}`,
      fix: `end that program, or start with \`--${first}-port\` and another one`,
    };
  },
};

/** A config that cannot be read is told by its own check. */
function apiOf(file: string, env: Variables, checks: readonly ConfigCheck[]): unknown {
  try {
    return loadConfig({ file, env, checks }).config.api;
  } catch {
    return {};
  }
}

function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code !== 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

const unconfinedAgents: DoctorCheck = {
  id: 'ground.unconfined',
  title: 'unconfined agents',
  run: async ({ paths }) => {
    const owner = existsSync(paths.home) ? statSync(paths.home).uid : process.getuid?.();
    if (owner !== process.getuid?.()) {
      return { status: 'ok', message: 'the home belongs to another user than the one agents run as here' };
    }
    return {
      status: 'warn',
      message: 'an agent that runs unconfined as the owner of the home can read its operator token',
      fix: 'start agents in a jail, or run the gateway as a user of its own',
    };
  },
};

/** False as well for what cannot be looked at, as on a disk that is gone: then it is more than missing. */
function isMissing(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** What every gateway needs of its machine. */
export const groundDoctorChecks: readonly DoctorCheck[] = [
  nodeVersion,
  home,
  config,
  files,
  ports,
  diskSpace,
  unconfinedAgents,
];
