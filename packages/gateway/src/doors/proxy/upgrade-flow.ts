import type { Duplex, Readable } from 'node:stream';
import type { UpgradeOutcome } from '../../egress/index.ts';
import { type Allow, type Course, type FlowTools, jobFor, record } from './course.ts';
import { type Answered, withoutVerdict } from './forwarding.ts';
import { joinPipes } from './join-pipes.ts';
import { refusalFrom, refuse } from './refusal.ts';

/** An allowed WebSocket: the upgrade goes upstream, and after `101` bytes go both ways. */
export async function runUpgrade(tools: FlowTools, course: Course, verdict: Allow): Promise<void> {
  const { incoming, action } = course;
  const verdictAt = performance.now();
  let answered: Answered = { status: 0, bytes: 0, headAt: 0, error: undefined };
  try {
    const answer = await tools.parts.executor.upgrade(jobFor(tools, course, verdict), 'websocket');
    answered = { ...answered, status: answer.head.status, headAt: performance.now() };
    answered = { ...answered, bytes: await handOn(course, answer) };
  } catch (error) {
    const refusal = refusalFrom(error, action.id);
    answered = { ...answered, status: answered.status || refusal.status, error: refusal.code };
    refuse(incoming, refusal);
  }
  record(tools, course, answered, verdictAt);
}

async function handOn({ incoming }: Course, answer: UpgradeOutcome): Promise<number> {
  if (answer.kind === 'answered') {
    incoming.head(answer.head.status, withoutVerdict(answer.head.headers));
    const bytes = await copyBody(answer.body, (chunk) => incoming.write(chunk), incoming);
    incoming.end([]);
    return bytes;
  }
  const agent = incoming.switchTo?.('websocket', withoutVerdict(answer.head.headers));
  if (agent === undefined) {
    answer.socket.destroy();
    throw new Error('this connection cannot switch');
  }
  return joinPipes(agent, answer.socket, incoming.signal);
}

function copyBody(
  body: Readable | Duplex,
  write: (chunk: Uint8Array) => boolean,
  incoming: Course['incoming'],
): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const left = (): void => void body.destroy(new Error('the agent left'));
    incoming.signal.addEventListener('abort', left, { once: true });
    incoming.onDrain = () => body.resume();
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (!write(chunk)) body.pause();
    });
    body.on('end', () => resolve(bytes));
    body.on('error', reject);
    body.on('close', () => incoming.signal.removeEventListener('abort', left));
  });
}
