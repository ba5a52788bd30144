import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { RunSummary, StartedRun } from '@sallyport/protocol';
import type { TestGateway } from '@sallyport/testkit';

/** A run whose agent is the test itself. */
export interface HeldRun {
  readonly started: StartedRun;
  /** Says that the agent ended. */
  end(): Promise<RunSummary>;
  /** As a keeper that was killed does. */
  hangUp(): void;
}

export async function holdRun(gateway: TestGateway, workspace: string): Promise<HeldRun> {
  const text = JSON.stringify({ workspace });
  const outgoing = request({
    socketPath: gateway.operatorSocket,
    method: 'POST',
    path: '/v1/runs',
    headers: {
      ...{ host: 'localhost', authorization: `Bearer ${gateway.operatorToken}` },
      ...{ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) },
    },
  });
  outgoing.on('error', () => {});
  outgoing.end(text);
  const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  const lines = createInterface({ input: response });
  // It reports what its input does.
  lines.on('error', () => {});
  const [first] = (await once(lines, 'line')) as [string];
  const started = JSON.parse(first) as StartedRun; // the gateway's own schema wrote it
  return {
    started,
    async end() {
      const answer = await gateway.operator(`/v1/runs/${started.session_id}/end`, { json: {} });
      outgoing.destroy();
      return answer.json<RunSummary>();
    },
    hangUp: () => void outgoing.destroy(),
  };
}
