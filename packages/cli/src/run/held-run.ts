import { type IncomingMessage, request } from 'node:http';
import type { NewRun, RunLine, RunSummary, StartedRun } from '@sallyport/protocol';
import { SallyportError } from '@sallyport/protocol/error';

export interface OperatorPlace {
  readonly socketPath: string;
  readonly token: string;
}

/** A run of the gateway, for as long as this is held. */
export interface HeldRun {
  readonly started: StartedRun;
  /** resolves once it is over, with the gateway's reason; undefined when the gateway is gone */
  readonly ended: Promise<string | undefined>;
  /** Ends it and says what it did. Rejects when the gateway is gone. */
  finish(exitCode: number): Promise<RunSummary>;
  /** Lets go; the gateway ends the session. */
  drop(): void;
}

/**
 * Opens a run and holds it. Rejects with `GatewayNotRunning` when nobody listens, or with the gateway's own error.
 *
 * The gateway is the trusted side, and this is on the way of every start: lines are not checked against a schema.
 */
export async function holdRun(place: OperatorPlace, run: NewRun): Promise<HeldRun> {
  const response = await call(place, '/v1/runs', run);
  const lines = readLines(response);
  const first = await lines.next();
  if (first.done === true || first.value.kind !== 'started') {
    throw new SallyportError('GatewayNotRunning', { message: 'the gateway hung up before the run began' });
  }
  const started = first.value;
  return {
    started,
    ended: waitForEnd(lines),
    async finish(exitCode) {
      const answer = await call(place, `/v1/runs/${started.session_id}/end`, { exit_code: exitCode });
      return JSON.parse(await readAll(answer)) as RunSummary; // the gateway's own schema wrote it
    },
    drop: () => void response.destroy(),
  };
}

async function waitForEnd(lines: AsyncGenerator<RunLine>): Promise<string | undefined> {
  for await (const line of lines) if (line.kind === 'ended') return line.reason;
  return undefined;
}

async function* readLines(response: IncomingMessage): AsyncGenerator<RunLine> {
  response.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of response) {
      rest += chunk;
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
        yield JSON.parse(rest.slice(0, end)) as RunLine; // the gateway's own schema wrote it
        rest = rest.slice(end + 1);
      }
    }
  } catch {
    // A connection that breaks is a gateway that is gone: the end of the lines says so.
  }
}

function call(place: OperatorPlace, path: string, body: object): Promise<IncomingMessage> {
  const text = JSON.stringify(body);
  return new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent: false,
        socketPath: place.socketPath,
        method: 'POST',
        path,
        headers: {
          host: 'localhost',
          authorization: `Bearer ${place.token}`,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(text),
        },
      },
      (response) => {
        if (response.statusCode === 200) resolve(response);
        else readAll(response).then((answer) => reject(errorFrom(answer)), reject);
      },
    );
    outgoing.on('error', (cause: NodeJS.ErrnoException) => {
      const isGone = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(cause.code ?? '');
      reject(isGone ? new SallyportError('GatewayNotRunning', { cause }) : cause);
    });
    outgoing.end(text);
  });
}

function errorFrom(answer: string): Error {
  try {
    const { error } = JSON.parse(answer) as { error: { code: 'Internal'; message: string; hint?: string } };
    const { code, message, hint } = error;
    return new SallyportError(code, { message, ...(hint === undefined ? {} : { hint }) });
  } catch {
    return new SallyportError('Internal', { message: 'the gateway gave an answer that cannot be read' });
  }
}

async function readAll(response: IncomingMessage): Promise<string> {
  let text = '';
  response.setEncoding('utf8');
  for await (const chunk of response) text += chunk;
  return text;
}
