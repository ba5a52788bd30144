/** How our MCP server is reached: as a program, or in a jail at its address, where whoever connects is the session. */
export type McpPlace =
  | { readonly command: string; readonly args: readonly string[] }
  | { readonly url: string };

/**
 * Pi knows no MCP servers, so its extension is the client of ours: what the gateway lets this agent use becomes tools of
 * Pi's, under the names that other clients give them. The hook tells of each call first, as of any other.
 */
export function piTools(mcp: McpPlace): string {
  return `
const START_MS = 15_000;

${'url' in mcp ? atAddress(mcp.url) : asProgram(mcp.command, mcp.args)}
let opening;

// One for all calls, and another when it has ended; one that could not be greeted is not kept.
async function server() {
  const mine = (opening ??= greeted());
  const open = await mine.catch((error) => {
    if (opening === mine) opening = undefined;
    throw error;
  });
  if (open.isOpen) return open;
  if (opening === mine) opening = undefined;
  return server();
}

async function greeted() {
  const server = openServer();
  const hello = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'pi', version: '1' } };
  await server.ask('initialize', hello, AbortSignal.timeout(START_MS));
  await server.tell('notifications/initialized');
  if (!server.isOpen) throw new Error('sallyport: the MCP server has ended');
  return server;
}

function shown(block) {
  return block.type === 'text' || block.type === 'image' ? block : { type: 'text', text: JSON.stringify(block) };
}

async function addTools(pi) {
  const { tools } = await (await server()).ask('tools/list', {}, AbortSignal.timeout(START_MS));
  for (const { name, title, description, inputSchema } of tools) {
    pi.registerTool({
      name: 'mcp__sallyport__' + name,
      label: title ?? name,
      description: description ?? name,
      parameters: inputSchema,
      async execute(_id, params, signal) {
        const said = await (await server()).ask('tools/call', { name, arguments: params }, signal);
        const content = said.content.map(shown);
        // Pi takes what is thrown for an error of the tool.
        if (said.isError === true) throw new Error(content.map(({ text }) => text ?? '').join('\\n'));
        return { content, details: said.structuredContent };
      },
    });
  }
}
`;
}

function asProgram(command: string, args: readonly string[]): string {
  return `// What is no message is nobody's: an error here would end Pi.
function messageIn(line) {
  try {
    return JSON.parse(line) ?? {};
  } catch {
    return { method: 'none' };
  }
}

function openServer() {
  const [program, ...args] = ${JSON.stringify([command, ...args])};
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map();
  const server = { isOpen: true };
  let next = 1;
  let rest = '';
  // Pi ends when it has nothing to do: only a call that is under way keeps it.
  const hold = () => {
    for (const handle of [child, child.stdin, child.stdout]) waiting.size > 0 ? handle.ref?.() : handle.unref?.();
  };
  const settle = (id, end) => {
    const asked = waiting.get(id);
    waiting.delete(id);
    hold();
    if (asked !== undefined) end(asked);
  };
  const send = (message) => child.stdin.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
  const close = (why) => {
    server.isOpen = false;
    for (const id of [...waiting.keys()]) settle(id, ({ reject }) => reject(new Error('sallyport: ' + why)));
  };
  child.stdin.on('error', () => undefined);
  child.once('error', (error) => close('the MCP server cannot be started: ' + error.message));
  child.once('close', () => close('the MCP server has ended'));
  child.stdout.setEncoding('utf8').on('data', (chunk) => {
    const lines = (rest + chunk).split('\\n');
    rest = lines.pop();
    for (const line of lines) {
      const { id, method, result, error } = messageIn(line);
      // What it says or asks by itself is nothing that Pi could answer.
      if (method !== undefined) continue;
      settle(id, ({ resolve, reject }) => error === undefined ? resolve(result) : reject(new Error(error.message)));
    }
  });
  server.tell = (method, params) => send({ method, params });
  server.ask = (method, params, signal) => new Promise((resolve, reject) => {
    const id = next++;
    const left = () => settle(id, () => {
      server.tell('notifications/cancelled', { requestId: id });
      reject(new Error('the call was given up'));
    });
    const done = (end) => (value) => {
      signal?.removeEventListener('abort', left);
      end(value);
    };
    if (!server.isOpen) return reject(new Error('sallyport: the MCP server has ended'));
    waiting.set(id, { resolve: done(resolve), reject: done(reject) });
    hold();
    signal?.addEventListener('abort', left, { once: true });
    // Whoever wants to hear of progress is known to wait for people.
    send({ id, method, params: { ...params, _meta: { progressToken: id } } });
  });
  return server;
}
`;
}

function atAddress(url: string): string {
  return `function openServer() {
  const server = { isOpen: true };
  const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  let next = 1;
  const post = async (message, signal) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...message });
    const answer = await fetch(${JSON.stringify(url)}, { method: 'POST', headers, body, signal });
    // A gateway that does not know us any more is asked anew.
    server.isOpen = answer.ok;
    const session = answer.headers.get('mcp-session-id');
    if (session !== null) headers['mcp-session-id'] = session;
    const text = await answer.text();
    if (!answer.ok) throw new Error('sallyport: ' + text);
    return answer.headers.get('content-type')?.startsWith('application/json') === true
      ? [text]
      : text.split('\\n').filter((line) => line.startsWith('data: {')).map((line) => line.slice(6));
  };
  server.tell = (method, params) => post({ method, params }).catch(() => undefined);
  server.ask = async (method, params, signal) => {
    const id = next++;
    // Whoever wants to hear of progress is known to wait for people.
    const said = await post({ id, method, params: { ...params, _meta: { progressToken: id } } }, signal);
    const { result, error } = said.map((text) => JSON.parse(text)).find((message) => message.id === id && message.method === undefined) ?? {};
    if (result === undefined) throw new Error(error?.message ?? 'sallyport: the MCP server gave no answer');
    return result;
  };
  return server;
}
`;
}
