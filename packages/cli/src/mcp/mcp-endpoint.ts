import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import type { HomePaths } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol/error';
import { agentPort } from '../agent-port.ts';
import { holdRun } from '../run/held-run.ts';

const ANSWER_MS = 10_000;

/** Where the gateway's MCP door is, and who is asking. */
export interface McpEndpoint {
  /** of the agent side, without a path */
  readonly url: string;
  /** absent in a jail, where the connection says who it is */
  readonly token: string | undefined;
  /** Ends the session that was opened for this, as far as the gateway is there. */
  close(): Promise<void>;
}

export interface EndpointFlags {
  readonly agent?: string;
  readonly tenant?: string;
}

/**
 * The session that `sallyport run` gave us; else a new, unconfined one, which ends with us. Rejects with
 * `GatewayNotRunning`.
 */
export async function openEndpoint(
  env: NodeJS.ProcessEnv,
  paths: HomePaths,
  flags: EndpointFlags,
): Promise<McpEndpoint> {
  const { SALLYPORT_API: url, SALLYPORT_TOKEN: token } = env;
  if (url !== undefined && url !== '') return { url, token, close: async () => {} };
  return (await enroll(paths, flags)) ?? holdSession(paths, flags);
}

/**
 * A session of the agent side: a client started us, and its processes are refused on the operator side. Undefined where
 * the secret of the home does not open it: there is none, it was replaced, or another tenant is wanted.
 */
async function enroll(paths: HomePaths, { agent, tenant }: EndpointFlags): Promise<McpEndpoint | undefined> {
  const secret = readText(paths.enrollmentSecret);
  const port = agentPort(paths);
  if (secret === undefined || port === undefined || (tenant !== undefined && tenant !== 'default'))
    return undefined;
  const url = `http://127.0.0.1:${port}`;
  const wanted = {
    tenant_id: 'default',
    enrollment_secret: secret,
    ...(agent === undefined ? {} : { agent }),
  };
  const answer = await call(`${url}/session/new`, 'POST', {}, JSON.stringify(wanted)).catch(() => undefined);
  if (answer?.status !== 201) return undefined;
  const { session_token: token } = JSON.parse(answer.text) as { session_token: string }; // the gateway's own schema wrote it
  const close = async (): Promise<void> => {
    // One that is gone has ended it.
    await call(`${url}/session`, 'DELETE', { authorization: `Bearer ${token}` }).catch(() => {});
  };
  return { url, token, close };
}

/** A session of the operator side, which lives as long as it is held. */
async function holdSession(paths: HomePaths, { agent, tenant }: EndpointFlags): Promise<McpEndpoint> {
  const token = readText(paths.operatorToken);
  if (token === undefined) throw new SallyportError('GatewayNotRunning');
  const run = await holdRun(
    { socketPath: paths.operatorSocket, token },
    {
      confinement: 'unconfined',
      ...(agent === undefined ? {} : { agent }),
      ...(tenant === undefined ? {} : { tenant }),
    },
  );
  const { ports, session_token: sessionToken } = run.started;
  return {
    url: `http://127.0.0.1:${ports.api}`,
    token: sessionToken ?? undefined,
    close: async () => run.drop(),
  };
}

function call(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: string,
): Promise<{ readonly status: number; readonly text: string }> {
  return new Promise((resolve, reject) => {
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const asked = request(url, { method, headers: { ...type, ...headers }, timeout: ANSWER_MS });
    asked.once('error', reject);
    asked.once('timeout', () => asked.destroy(new Error('the gateway did not answer in time')));
    asked.once('response', (answer) => {
      let text = '';
      answer.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
      });
      answer.once('error', reject);
      answer.once('end', () => resolve({ status: answer.statusCode ?? 0, text }));
    });
    asked.end(body);
  });
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch {
    return undefined;
  }
}
