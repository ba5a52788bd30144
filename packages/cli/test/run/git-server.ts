import { execFileSync, spawn } from 'node:child_process';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { closeServer, listenOnFreePort, type TestCa, tempDir } from '@sallyport/testkit';

/** The real `git http-backend` behind TLS, with one empty repository. */
export interface GitServer extends AsyncDisposable {
  /** `https://…/app.git` */
  readonly url: string;
  /** what the repository's branch points at; undefined when there is none */
  head(branch: string): string | undefined;
}

export async function startGitServer(ca: TestCa, host: string): Promise<GitServer> {
  const dir = await tempDir();
  const repository = join(dir.path, 'app.git');
  execFileSync('git', ['init', '-q', '--bare', repository]);
  execFileSync('git', ['-C', repository, 'config', 'http.receivepack', 'true']);
  const server: Server = createServer(await ca.issue([host]), (request, response) => {
    const { pathname, search } = new URL(request.url ?? '', 'https://git.invalid');
    const { headers } = request;
    const backend = spawn('git', ['http-backend'], {
      env: {
        PATH: process.env.PATH,
        GIT_PROJECT_ROOT: dir.path,
        GIT_HTTP_EXPORT_ALL: '1',
        PATH_INFO: pathname,
        QUERY_STRING: search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: headers['content-type'] ?? '',
        HTTP_CONTENT_ENCODING: headers['content-encoding'] ?? '',
        GIT_PROTOCOL: String(headers['git-protocol'] ?? ''),
        REMOTE_USER: 'agent',
      },
    });
    request.pipe(backend.stdin);
    const chunks: Buffer[] = [];
    backend.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
    backend.once('close', () => {
      const all = Buffer.concat(chunks);
      const end = all.indexOf('\r\n\r\n');
      for (const line of all.toString('latin1', 0, end).split('\r\n')) {
        const [, name = '', value = ''] = /^([^:]+): (.*)$/.exec(line) ?? [];
        if (name === 'Status') response.statusCode = Number.parseInt(value, 10);
        else if (name !== '') response.setHeader(name, value);
      }
      response.end(all.subarray(end + 4));
    });
  });
  const port = await listenOnFreePort(server, host);
  return {
    url: `https://${host}:${port}/app.git`,
    head(branch) {
      try {
        return execFileSync('git', ['-C', repository, 'rev-parse', branch], {
          encoding: 'utf8',
          stdio: 'pipe',
        }).trim();
      } catch {
        return undefined;
      }
    },
    async [Symbol.asyncDispose]() {
      await closeServer(server);
      await dir.remove();
    },
  };
}
