import { spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalDetail, AuditEvent, EventType } from '@sallyport/protocol';
import {
  createTestCa,
  startTestGateway,
  type TempDir,
  type TestCa,
  type TestGateway,
  tempDir,
  waitFor,
  waitUntil,
} from '@sallyport/testkit';

export interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

export interface ReachOptions {
  /** authority of the upstreams, if they are there already */
  readonly ca?: TestCa;
  /** YAML below `tenants.default` */
  readonly tenant?: string;
  /** YAML below `network` */
  readonly network?: string;
  /** YAML of the agent `dev`; reads pass and writes ask unless it says otherwise */
  readonly agent?: string;
  /** YAML at the top */
  readonly top?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly clock?: { now(): number };
  readonly gatherMs?: number;
}

/** A whole gateway, the upstreams' authority, and an agent whose programs know the proxy by their environment only. */
export interface Reach extends AsyncDisposable {
  readonly gateway: TestGateway;
  readonly ca: TestCa;
  /** a folder for the agent */
  readonly folder: string;
  readonly token: string;
  readonly sessionId: string;
  readonly proxyUrl: string;
  /** the gateway's own authority, as agents get it */
  readonly caFile: string;
  /** what `sallyport run` and docs/proxy.md put into a program's environment */
  readonly env: NodeJS.ProcessEnv;
  file(name: string, content: string | Buffer): Promise<string>;
  /** Runs a program of the agent to its end. */
  run(program: string, words: readonly string[], more?: RunOptions): Promise<Ran>;
  /** Waits for the one question that is open. */
  question(): Promise<ApprovalDetail>;
  decide(question: ApprovalDetail, code: '1' | '3'): Promise<void>;
  /** Allows the next question, once, and says what it was. */
  approveNext(): Promise<ApprovalDetail>;
  events(type: EventType): Promise<readonly AuditEvent[]>;
  /** Waits until there are so many. */
  eventsOnce(type: EventType, count: number): Promise<readonly AuditEvent[]>;
}

export interface RunOptions {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string;
  readonly signal?: AbortSignal;
}

/** Opens all of it. Upstreams on loopback are reachable. */
export async function openReach(options: ReachOptions = {}): Promise<Reach> {
  const dir = await tempDir();
  try {
    const ca = options.ca ?? (await createTestCa());
    await writeFile(join(dir.path, 'upstream-ca.pem'), ca.cert);
    const gateway = await startTestGateway({
      config: configOf(options, join(dir.path, 'upstream-ca.pem')),
      ...(options.env === undefined ? {} : { env: options.env }),
      ...(options.clock === undefined ? {} : { clock: options.clock }),
      ...(options.gatherMs === undefined ? {} : { gatherMs: options.gatherMs }),
    });
    return await describeReach(gateway, ca, dir);
  } catch (error) {
    await dir.remove();
    throw error;
  }
}

export function configOf(options: ReachOptions, caFile: string): string {
  return `
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents:
  dev: ${options.agent ?? '{ permissions: ["allow:*"] }'}
tenants:
  default:
    default_user: ana
    default_agent: dev
    users: { ana: { roles: [owner] } }
${indent(options.tenant ?? '', 4)}
network:
  default: allow
  allow_private: [localhost, "127.0.0.0/8"]
  ca_files: ["${caFile}"]
${indent(options.network ?? '', 2)}
${options.top ?? ''}
`;
}

const indent = (text: string, by: number): string => text.replace(/^(?=.)/gm, ' '.repeat(by));

async function describeReach(gateway: TestGateway, ca: TestCa, dir: TempDir): Promise<Reach> {
  const { session_token: token, session_id: sessionId } = await gateway.openSession('dev');
  const proxyUrl = `http://session:${token}@127.0.0.1:${gateway.ports.proxy}`;
  const caFile = join(gateway.home, 'ca.pem');
  const env = environmentOf(proxyUrl, caFile, dir.path);
  const questions = async (): Promise<readonly ApprovalDetail[]> => {
    const answer = await gateway.operator('/v1/approvals?status=pending');
    return answer.json<{ items: ApprovalDetail[] }>().items;
  };
  const reach: Reach = {
    gateway,
    ca,
    folder: dir.path,
    token,
    sessionId,
    proxyUrl,
    caFile,
    env,
    async file(name, content) {
      const path = join(dir.path, name);
      await writeFile(path, content);
      return path;
    },
    run: (program, words, more = {}) =>
      runProgram(program, words, { cwd: dir.path, ...more, env: { ...env, ...more.env } }),
    question: () => waitUntil('a question', async () => (await questions())[0]),
    async decide({ id, binding }, code) {
      const answer = await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code, binding } });
      if (answer.status !== 200) throw new Error(`not decided: ${answer.text}`);
    },
    async approveNext() {
      const question = await reach.question();
      await reach.decide(question, '1');
      return question;
    },
    async events(type) {
      const answer = await gateway.operator(`/v1/audit/events?type=${type}&limit=200`);
      return answer.json<{ items: AuditEvent[] }>().items;
    },
    eventsOnce: (type, count) =>
      waitFor(`${count} events ${type}`, async () => {
        const events = await reach.events(type);
        if (events.length < count) throw new Error(`${events.length} of ${count} ${type}`);
        return events;
      }),
    async [Symbol.asyncDispose]() {
      await gateway.close();
      await dir.remove();
    },
  };
  return reach;
}

function environmentOf(proxy: string, ca: string, home: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env.PATH,
    HOME: home,
    LANG: 'C.UTF-8',
    ...{ HTTP_PROXY: proxy, HTTPS_PROXY: proxy, http_proxy: proxy, https_proxy: proxy, ALL_PROXY: proxy },
    ...{ NO_PROXY: '', no_proxy: '' },
    NODE_USE_ENV_PROXY: '1',
    NODE_EXTRA_CA_CERTS: ca,
    SSL_CERT_FILE: ca,
    CURL_CA_BUNDLE: ca,
    GIT_SSL_CAINFO: ca,
    REQUESTS_CA_BUNDLE: ca,
    PIP_CERT: ca,
    AWS_CA_BUNDLE: ca,
    GRPC_DEFAULT_SSL_ROOTS_FILE_PATH: ca,
  };
}

function runProgram(
  program: string,
  words: readonly string[],
  options: RunOptions & { readonly env: NodeJS.ProcessEnv },
): Promise<Ran> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, [...words], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: options.env,
      killSignal: 'SIGKILL',
      timeout: 60_000,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      ...(options.signal === undefined ? {} : { signal: options.signal }),
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    child.on('error', (error) =>
      options.signal?.aborted ? resolve({ code: -1, stdout, stderr }) : reject(error),
    );
    child.on('close', (code) => resolve({ code: code ?? -1, stdout, stderr }));
  });
}
