import { execFile, spawn } from 'node:child_process';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { closeServer, listenOnFreePort } from './http-server.ts';
import { tempDir } from './temp-dir.ts';
import type { TestCa } from './test-ca.ts';

const run = promisify(execFile);

/** Git's own server (`git http-backend`) behind HTTPS, with one bare repository. */
export interface GitServer extends AsyncDisposable {
  readonly port: number;
  /** `https://localhost:PORT/team/site.git` */
  readonly url: string;
  /** `Authorization` of each request; undefined when there was none */
  readonly authorizations: readonly (string | undefined)[];
  /** what a ref points to, or undefined */
  refOf(ref: string): Promise<string | undefined>;
  close(): Promise<void>;
}

/** `demands`: the only `Authorization` that is let in. */
export async function startGitServer(options: {
  readonly ca: TestCa;
  readonly demands?: string;
}): Promise<GitServer> {
  const dir = await tempDir();
  const repository = join(dir.path, 'team', 'site.git');
  const git = (...words: string[]) => run('git', words, { env: gitEnv(dir.path) });
  await git('init', '--quiet', '--bare', '--initial-branch=main', repository);
  await git('-C', repository, 'config', 'http.receivepack', 'true');
  await git('-C', repository, 'config', 'receive.advertisePushOptions', 'true');
  await seed(repository, dir.path);
  const authorizations: (string | undefined)[] = [];
  const server = createServer(await options.ca.issue(['localhost']), (request, response) => {
    const { authorization } = request.headers;
    authorizations.push(authorization);
    if (options.demands !== undefined && authorization !== options.demands) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
      return;
    }
    serve(request, response, dir.path).catch(() => response.destroy());
  });
  const port = await listenOnFreePort(server);
  const close = async (): Promise<void> => {
    await closeServer(server);
    await dir.remove();
  };
  return {
    port,
    url: `https://localhost:${port}/team/site.git`,
    authorizations,
    async refOf(ref) {
      const found = await git('-C', repository, 'rev-parse', '--verify', '--quiet', ref).catch(
        () => undefined,
      );
      return found?.stdout.trim();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** One commit on `main`. */
async function seed(repository: string, root: string): Promise<void> {
  const git = (...words: string[]) => run('git', ['-C', repository, ...words], { env: gitEnv(root) });
  const { stdout: tree } = await git('write-tree');
  const { stdout: commit } = await git('commit-tree', tree.trim(), '-m', 'the beginning');
  await git('update-ref', 'refs/heads/main', commit.trim());
}

/** A git that reads no settings of this machine. */
export function gitEnv(home: string): NodeJS.ProcessEnv {
  const who = { NAME: 'Ana', EMAIL: 'ana@example.com' };
  return {
    PATH: process.env.PATH,
    HOME: home,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_TERMINAL_PROMPT: '0',
    GIT_AUTHOR_NAME: who.NAME,
    GIT_AUTHOR_EMAIL: who.EMAIL,
    GIT_COMMITTER_NAME: who.NAME,
    GIT_COMMITTER_EMAIL: who.EMAIL,
  };
}

/** One request as CGI. */
async function serve(request: IncomingMessage, response: ServerResponse, root: string): Promise<void> {
  const url = new URL(request.url ?? '/', 'https://localhost');
  const child = spawn('git', ['http-backend'], {
    stdio: ['pipe', 'pipe', 'ignore'],
    env: {
      ...gitEnv(root),
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      REQUEST_METHOD: request.method,
      PATH_INFO: url.pathname,
      QUERY_STRING: url.search.slice(1),
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      CONTENT_LENGTH: request.headers['content-length'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
      REMOTE_USER: 'agent',
    },
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await pipeline(request, child.stdin);
  await ended;
  const whole = Buffer.concat(chunks);
  const border = whole.indexOf('\r\n\r\n');
  let status = 200;
  for (const line of whole.subarray(0, border).toString('latin1').split('\r\n')) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon), line.slice(colon + 1).trim()];
    if (name === 'Status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
  response.end(whole.subarray(border + 4));
}
