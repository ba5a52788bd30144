import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';

/** How one target is reached. */
export type Way =
  | { readonly kind: 'http'; readonly url: string; readonly token?: string; readonly tool: string }
  | {
      readonly kind: 'stdio';
      readonly command: string;
      readonly args: readonly string[];
      readonly tool: string;
    };

/** A connected client that calls `echo`. */
export interface EchoClient {
  echo(): Promise<void>;
  close(): Promise<void>;
}

interface Link {
  send(message: object): Promise<string | undefined>;
  close(): Promise<void>;
}

/**
 * A client that does what Streamable HTTP and stdio ask for, and as little as possible besides: with the official one
 * most of what is measured would be the client (0.5 ms a call where the server answers at once).
 */
export async function connectEcho(way: Way): Promise<EchoClient> {
  const link = way.kind === 'http' ? httpLink(way.url, way.token) : stdioLink(way.command, way.args);
  let id = 0;
  const ask = async (method: string, params: object): Promise<string> => {
    id += 1;
    const answer = await link.send({ jsonrpc: '2.0', id, method, params });
    if (answer === undefined) throw new Error('no answer');
    return answer;
  };
  const hello = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'bench', version: '1' },
  };
  await ask('initialize', hello);
  await link.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const call = { name: way.tool, arguments: { message: 'hello' } };
  return {
    async echo() {
      const answer = await ask('tools/call', call);
      const { result } = JSON.parse(answer) as {
        result?: { content: { text: string }[]; isError?: boolean };
      };
      if (result?.content[0]?.text !== 'Echo: hello') throw new Error(`not an echo: ${answer}`);
    },
    close: () => link.close(),
  };
}

function httpLink(url: string, token: string | undefined): Link {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  };
  return {
    send: (message) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify(message);
        const outgoing = request(
          url,
          { agent, method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
          (answer) => {
            const session = answer.headers['mcp-session-id'];
            if (typeof session === 'string') {
              headers['mcp-session-id'] = session;
              headers['mcp-protocol-version'] = '2025-06-18';
            }
            readAnswer(answer).then(resolve, reject);
          },
        );
        outgoing.on('error', reject);
        outgoing.end(body);
      }),
    async close() {
      agent.destroy();
    },
  };
}

/** The one message of an answer: JSON, or the event of a stream that has data. */
async function readAnswer(answer: IncomingMessage): Promise<string | undefined> {
  answer.setEncoding('utf8');
  let text = '';
  for await (const chunk of answer) text += chunk;
  if (answer.statusCode === 202) return undefined;
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}: ${text}`);
  if (answer.headers['content-type']?.startsWith('application/json') === true) return text;
  const lines = text.split('\n').filter((line) => line.startsWith('data: {'));
  return lines.at(-1)?.slice('data: '.length);
}

function stdioLink(command: string, args: readonly string[]): Link {
  const child: ChildProcess = spawn(command, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number, (line: string) => void>();
  if (child.stdout === null || child.stdin === null) throw new Error('no pipes');
  const { stdin } = child;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: number };
    if (id === undefined) return;
    waiting.get(id)?.(line);
    waiting.delete(id);
  });
  return {
    send: (message) =>
      new Promise((resolve) => {
        const id = 'id' in message && typeof message.id === 'number' ? message.id : undefined;
        if (id === undefined) resolve(undefined);
        else waiting.set(id, resolve);
        stdin.write(`${JSON.stringify(message)}\n`);
      }),
    async close() {
      child.kill();
    },
  };
}
