/**
 * `node scripts/mcp-definitions.ts PROGRAM ARGS…`: starts an MCP server and prints what it calls itself, and the name,
 * arguments and description of each of its tools: what a preset of `tools/mcp-reads.ts` is made of. Run it without a
 * network.
 */
import { spawn } from 'node:child_process';
import { connect, listTools } from '../packages/gateway/src/executors/mcp/connect.ts';
import { toolDefinition } from '../packages/gateway/src/executors/mcp/definition.ts';
import { MCP_LIMITS } from '../packages/gateway/src/executors/mcp/limits.ts';
import { ProcessWire } from '../packages/gateway/src/executors/mcp/process-wire.ts';
import { isObject } from '../packages/gateway/src/shared/json-rpc.ts';

const [program, ...args] = process.argv.slice(2);
if (program === undefined) {
  console.error('usage: node scripts/mcp-definitions.ts PROGRAM ARGS…');
  process.exit(2);
}
const wire = new ProcessWire({
  start: () => spawn(program, args, { detached: true, stdio: ['pipe', 'pipe', 'pipe'] }),
  limits: MCP_LIMITS,
  onStderr: (line) => console.error(line),
});
const { connection, hello } = await connect({
  server: program,
  wire,
  limits: MCP_LIMITS,
  listener: {
    onRequest: () => Promise.reject(new Error('nobody answers here')),
    onNotification: () => {},
    onClosed: () => {},
  },
  signal: AbortSignal.timeout(60_000),
});
const tools = (await listTools(connection, MCP_LIMITS)).flatMap((tool) => {
  const definition = toolDefinition(tool);
  return definition === undefined
    ? []
    : [
        {
          name: definition.name,
          arguments: Object.keys(isObject(tool.inputSchema) ? (tool.inputSchema.properties ?? {}) : {}),
          description: tool.description ?? '',
        },
      ];
});
console.log(JSON.stringify({ server: hello.serverInfo, tools }, undefined, 2));
await connection.close('done');
