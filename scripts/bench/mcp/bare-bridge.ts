/**
 * The least that HTTP in front of a stdio server can be: no session, no policy, no trail, no checks. What nobody who
 * does more can be faster than, on this machine and with this client.
 */
import { spawn } from 'node:child_process';
import { createServer, type ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';

const [, , port, program = ''] = process.argv;
const server = spawn(process.execPath, [program, 'stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
const waiting = new Map<unknown, ServerResponse>();
createInterface({ input: server.stdout }).on('line', (line) => {
  const { id } = JSON.parse(line) as { id?: unknown };
  const response = waiting.get(id);
  waiting.delete(id);
  response?.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 'bare' }).end(line);
});
createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const text = Buffer.concat(chunks).toString();
    const { id } = JSON.parse(text) as { id?: unknown };
    if (id === undefined) response.writeHead(202).end();
    else waiting.set(id, response);
    server.stdin.write(`${text}\n`);
  });
}).listen(Number(port), '127.0.0.1');
