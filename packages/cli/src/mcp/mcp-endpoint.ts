import { readFileSync } from 'node:fs';
import type { HomePaths } from '@sallyport/gateway/home';
import { SallyportError } from '@sallyport/protocol/error';
import { holdRun } from '../run/held-run.ts';

/** Where the gateway's MCP door is, and who is asking. */
export interface McpEndpoint {
  /** of the agent side, without a path */
  readonly url: string;
  /** absent in a jail, where the connection says who it is */
  readonly token: string | undefined;
  /** Ends the session that was opened for this. */
  close(): void;
}

export interface EndpointFlags {
  readonly agent?: string;
  readonly tenant?: string;
}

/**
 * The session that `sallyport run` gave us; else a new, unconfined one, which lives as long as it is held. Rejects with
 * `GatewayNotRunning`.
 */
export async function openEndpoint(
  env: NodeJS.ProcessEnv,
  paths: HomePaths,
  flags: EndpointFlags,
): Promise<McpEndpoint> {
  const { SALLYPORT_API: url, SALLYPORT_TOKEN: token } = env;
  if (url !== undefined && url !== '') return { url, token, close: () => {} };
  const run = await holdRun(
    { socketPath: paths.operatorSocket, token: readToken(paths) },
    {
      confinement: 'unconfined',
      ...(flags.agent === undefined ? {} : { agent: flags.agent }),
      ...(flags.tenant === undefined ? {} : { tenant: flags.tenant }),
    },
  );
  const { ports, session_token: sessionToken } = run.started;
  return { url: `http://127.0.0.1:${ports.api}`, token: sessionToken ?? undefined, close: () => run.drop() };
}

function readToken(paths: HomePaths): string {
  try {
    return readFileSync(paths.operatorToken, 'utf8').trim();
  } catch (cause) {
    throw new SallyportError('GatewayNotRunning', { cause });
  }
}
