import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { httpLink, type Link } from './http-link.ts';

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
