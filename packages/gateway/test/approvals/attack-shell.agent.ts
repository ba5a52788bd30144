/** What an agent with a full shell tries. Runs as a program of its own; prints what it got, as JSON. */
import { constants } from 'node:fs';
import { access, link, open, readdir, readFile, readlink, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';

interface Instructions {
  readonly home: string;
  readonly files: readonly string[];
  readonly pid: number;
  readonly ports: readonly number[];
  readonly approvalId: string;
  /** what an agent has by right */
  readonly tokens: readonly string[];
  /** a folder of its own */
  readonly own: string;
  /** only calls: as the same user everything else would work, and end the gateway */
  readonly callsOnly: boolean;
}

const { home, files, pid, ports, approvalId, tokens, own, callsOnly }: Instructions = JSON.parse(
  process.argv[2] ?? '',
);
const got: { readonly what: string; readonly result: string; readonly text?: string }[] = [];

async function attempt(what: string, work: () => Promise<string | Buffer | undefined>): Promise<void> {
  try {
    const text = await work();
    got.push({ what, result: 'got', text: text?.toString() ?? '' });
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    got.push({ what, result: code });
  }
}

if (!callsOnly) {
  await tryFiles();
  await tryProcess();
}

const calls = [
  ['POST', `/v1/approvals/${approvalId}/decision`, '{"code":"1"}'],
  ['GET', '/v1/approvals?status=pending', ''],
  ['POST', '/v1/inbox/email-reply', `{"from":"ana@example.com","subject":"[${approvalId}]","body":"1"}`],
  ['POST', `/v1/decide/${approvalId}?who=ana&key=x`, '{"code":"1"}'],
  ['GET', '/v1/status', ''],
  ['POST', '/v1/stop', '{"now":true}'],
  ['POST', '/v1/keys', '{"tenant":"default","name":"x"}'],
  ['GET', '/json/version', ''],
] as const;
for (const where of [
  ...ports.map((port) => ({ host: '127.0.0.1', port })),
  { socketPath: join(home, 'operator.sock') },
]) {
  for (const [method, path, body] of calls) {
    for (const token of [undefined, '', ...tokens]) {
      const place = 'port' in where ? `port ${where.port}` : 'socket';
      await attempt(`call ${place} ${method} ${path}`, () => call({ ...where, method, path }, body, token));
    }
  }
}
process.stdout.write(JSON.stringify(got));

function call(options: object, body: string, token: string | undefined): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = {
      'content-type': 'application/json',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    };
    const sent = request({ ...options, headers, timeout: 5_000 }, (response) => {
      response.resume();
      const { statusCode = 0 } = response;
      if (statusCode >= 200 && statusCode < 300) resolve(String(statusCode));
      else reject(Object.assign(new Error('refused'), { code: `HTTP ${statusCode}` }));
    });
    sent.on('timeout', () => sent.destroy());
    sent.on('error', reject);
    sent.end(body);
  });
}

async function tryFiles(): Promise<void> {
  for (const file of ['.', ...files]) {
    const path = join(home, file);
    await attempt(`list ${file}`, async () => (await readdir(path)).join(' '));
    if (file === '.') continue;
    await attempt(`read ${file}`, () => readFile(path));
    await attempt(`write ${file}`, async () => {
      await (await open(path, 'a')).close();
      return '';
    });
    await attempt(`link ${file}`, async () => {
      await link(path, join(own, 'link'));
      return '';
    });
  }
  await attempt('create a file', async () => {
    await writeFile(join(home, 'sallyport.d.yaml'), 'x');
    return '';
  });
  await attempt('create a link', async () => {
    await symlink('/etc', join(home, 'audit2'));
    return '';
  });
}

async function tryProcess(): Promise<void> {
  const folders = [`/proc/${pid}`];
  for (const task of await readdir(`/proc/${pid}/task`)) folders.push(`/proc/${pid}/task/${task}`);
  for (const folder of folders) {
    for (const name of ['environ', 'mem', 'auxv', 'io', 'stack', 'syscall', 'pagemap', 'cmdline', 'status'])
      await attempt(`process ${name}`, () => readFile(join(folder, name)));
    await attempt('process write mem', async () => {
      await access(join(folder, 'mem'), constants.W_OK);
      return '';
    });
    await attempt('process fd', async () => (await readdir(join(folder, 'fd'))).join(' '));
    for (let fd = 0; fd < 64; fd += 1)
      await attempt('process fd', () => readFile(join(folder, 'fd', String(fd))));
    await attempt('process cwd', () => readlink(join(folder, 'cwd')));
  }
  // SIGUSR1 opens Node's inspector, which reads all memory.
  for (const signal of ['SIGUSR1', 'SIGUSR2', 'SIGHUP', 'SIGTERM', 'SIGKILL'] as const) {
    await attempt(`signal ${signal}`, async () => {
      process.kill(pid, signal);
      return '';
    });
  }
}
