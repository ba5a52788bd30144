import type { Readable } from 'node:stream';
import type { Upgraded } from '../../executors/index.ts';
import { type Answered, withoutVerdict } from './forwarding.ts';
import type { Incoming } from './incoming.ts';
import { refusalFrom, refuse } from './refusal.ts';

/** Answers an allowed WebSocket: after `101` bytes go both ways. Resolves when it is over; never rejects. */
export async function answerUpgrade(
  incoming: Incoming,
  upgrading: Promise<Upgraded>,
  actionId: string,
): Promise<Answered> {
  let [status, headAt] = [0, 0];
  try {
    const answer = await upgrading;
    status = answer.head.status;
    headAt = performance.now();
    return { status, headAt, bytes: await handOn(incoming, answer), error: undefined };
  } catch (error) {
    const refusal = refusalFrom(error, actionId);
    refuse(incoming, refusal);
    return { status: status || refusal.status, headAt, bytes: 0, error: refusal.code };
  }
}

async function handOn(incoming: Incoming, answer: Upgraded): Promise<number> {
  const headers = withoutVerdict(answer.head.headers);
  if (answer.kind === 'answered') {
    incoming.head(answer.head.status, headers);
    const bytes = await copyBody(answer.body, incoming);
    incoming.end([]);
    return bytes;
  }
  const agent = incoming.switchTo?.('websocket', headers);
  if (agent === undefined) {
    answer.line.close();
    throw new Error('this connection cannot switch');
  }
  return answer.line.join(agent, incoming.signal);
}

function copyBody(body: Readable, incoming: Incoming): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    const left = (): void => void body.destroy(new Error('the agent left'));
    incoming.signal.addEventListener('abort', left, { once: true });
    incoming.onDrain = () => body.resume();
    body.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (!incoming.write(chunk)) body.pause();
    });
    body.on('end', () => resolve(bytes));
    body.on('error', reject);
    body.on('close', () => incoming.signal.removeEventListener('abort', left));
  });
}
