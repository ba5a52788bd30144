import { connect, type Socket } from 'node:net';
import type { NewRun, RunEnd, RunLine, RunSummary, StartedRun, TakenBackWire } from '@sallyport/protocol';
import { SallyportError } from '@sallyport/protocol/error';

export interface OperatorPlace {
  readonly socketPath: string;
  readonly token: string;
}

/** A question of the run that waits, or its end. */
export type QuestionLine = Extract<RunLine, { kind: 'asked' | 'settled' }>;

/** A run of the gateway, for as long as this is held. */
export interface HeldRun {
  readonly started: StartedRun;
  /** resolves once it is over, with the gateway's reason; undefined when the gateway is gone */
  readonly ended: Promise<string | undefined>;
  /** Ends it and says what it did. Rejects when the gateway is gone. */
  finish(exitCode: number, takenBack: readonly TakenBackWire[]): Promise<RunSummary>;
  /** Ends it; resolves once all of it is over. */
  leave(exitCode: number, takenBack: readonly TakenBackWire[]): Promise<void>;
  /** Lets go; the gateway ends the session. */
  drop(): void;
}

/**
 * Opens a run and holds it. Rejects with `GatewayNotRunning` when nobody listens, or with the gateway's own error.
 *
 * The gateway is the trusted side, and this is on the way of every start: lines are not checked against a schema, and
 * the few words of HTTP/1.0 that it takes are spoken here, because a whole client costs more than the jail does.
 */
export async function holdRun(
  place: OperatorPlace,
  run: NewRun,
  onQuestion: (line: QuestionLine) => void = () => {},
): Promise<HeldRun> {
  const socket = await send(place, '/v1/runs', run);
  const chunks = socket[Symbol.asyncIterator]() as AsyncIterator<string>; // it has an encoding
  const head = await readHead(chunks);
  if (head.status !== 200) throw errorFrom(head.rest + (await readRest(chunks)));
  const lines = readLines(head.rest, chunks);
  const first = await lines.next();
  if (first.done === true || first.value.kind !== 'started') {
    throw new SallyportError('GatewayNotRunning', { message: 'the gateway hung up before the run began' });
  }
  const started = first.value;
  const end = (exitCode: number, summary: boolean, takenBack: readonly TakenBackWire[]): Promise<Socket> => {
    const body: RunEnd = { exit_code: exitCode, summary, taken_back: [...takenBack] };
    return send(place, `/v1/runs/${started.session_id}/end`, body);
  };
  return {
    started,
    ended: waitForEnd(lines, onQuestion),
    async finish(exitCode, takenBack) {
      const answer = (await end(exitCode, true, takenBack))[Symbol.asyncIterator]() as AsyncIterator<string>;
      const { status, rest } = await readHead(answer);
      const text = rest + (await readRest(answer));
      if (status !== 200) throw errorFrom(text);
      return JSON.parse(text) as RunSummary; // the gateway's own schema wrote it
    },
    async leave(exitCode, takenBack) {
      const answer = await end(exitCode, false, takenBack);
      await readHead(answer[Symbol.asyncIterator]() as AsyncIterator<string>);
      answer.destroy();
    },
    drop: () => void socket.destroy(),
  };
}

async function waitForEnd(
  lines: AsyncGenerator<RunLine>,
  onQuestion: (line: QuestionLine) => void,
): Promise<string | undefined> {
  for await (const line of lines) {
    if (line.kind === 'ended') return line.reason;
    if (line.kind === 'asked' || line.kind === 'settled') onQuestion(line);
  }
  return undefined;
}

async function* readLines(begun: string, chunks: AsyncIterator<string>): AsyncGenerator<RunLine> {
  for (let rest = begun; ; ) {
    for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n')) {
      yield JSON.parse(rest.slice(0, end)) as RunLine; // the gateway's own schema wrote it
      rest = rest.slice(end + 1);
    }
    const next = await nextChunk(chunks);
    if (next === undefined) return;
    rest += next;
  }
}

async function readHead(chunks: AsyncIterator<string>): Promise<{ status: number; rest: string }> {
  for (let text = ''; ; ) {
    const end = text.indexOf('\r\n\r\n');
    if (end !== -1) return { status: Number(text.slice(9, 12)), rest: text.slice(end + 4) };
    const next = await nextChunk(chunks);
    if (next === undefined) throw new SallyportError('GatewayNotRunning', { message: 'the gateway hung up' });
    text += next;
  }
}

async function readRest(chunks: AsyncIterator<string>): Promise<string> {
  let text = '';
  for (let next = await nextChunk(chunks); next !== undefined; next = await nextChunk(chunks)) text += next;
  return text;
}

/** A connection that breaks is a gateway that is gone: the end of what it says. */
async function nextChunk(chunks: AsyncIterator<string>): Promise<string | undefined> {
  try {
    const { done, value } = await chunks.next();
    return done === true ? undefined : value;
  } catch {
    return undefined;
  }
}

/** Sends a request whose answer ends with the connection. */
function send(place: OperatorPlace, path: string, body: object): Promise<Socket> {
  const text = JSON.stringify(body);
  const head = [
    `POST ${path} HTTP/1.0`,
    'host: localhost',
    `authorization: Bearer ${place.token}`,
    'content-type: application/json',
    `content-length: ${Buffer.byteLength(text)}`,
  ];
  return new Promise((resolve, reject) => {
    const socket = connect(place.socketPath);
    socket.setEncoding('utf8');
    socket.once('error', (cause: NodeJS.ErrnoException) => {
      const isGone = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'].includes(cause.code ?? '');
      reject(isGone ? new SallyportError('GatewayNotRunning', { cause }) : cause);
    });
    socket.write(`${head.join('\r\n')}\r\n\r\n${text}`, (error) => {
      if (error === undefined || error === null) resolve(socket);
    });
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
