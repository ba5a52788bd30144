import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import type { AuditEvent, AuditLevel, JsonObject } from '@sallyport/protocol';
import { AUDIT_LEVELS } from '@sallyport/protocol';
import {
  closeServer,
  createTestCa,
  type EchoServer,
  listenOnFreePort,
  MCP_FIXTURE_PROGRAM,
  startEchoServer,
  type TestCa,
  tempDir,
  waitUntil,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { McpTestClient } from '../mcp-door/mcp-client.ts';
import { openReach, type Reach } from '../proxy-clients/clients-fixture.ts';
import { proxied } from '../proxy-clients/proxied.ts';
import { openSealFixture, type SealFixture } from '../seal/seal-fixture.ts';

const LENT = 'canary-lent-7Q2x9LmVfd81Za';

let ca: TestCa;
let echo: EchoServer;
let work: Awaited<ReturnType<typeof tempDir>>;
beforeAll(async () => {
  ca = await createTestCa();
  work = await tempDir();
  echo = await startEchoServer({
    ca,
    // A host that repeats what it was sent, the lent value included.
    handler(request, response, { headers }) {
      response.setHeader('content-type', 'application/json');
      if (request.url === '/binary') response.end(Buffer.from([0, 159, 146, 150]));
      else if (request.url?.startsWith('/large') === true) response.end('z'.repeat(1_000_000));
      else response.end(JSON.stringify({ seen: headers.authorization, said: 'thank you' }));
      return true;
    },
  });
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  await work.remove();
});

interface Detail {
  readonly request?: JsonObject;
  readonly status?: string | number;
  readonly request_body?: JsonObject | string;
  readonly response_body?: JsonObject;
}

/** Everything that the trail says beyond the facts, of all events about the actions that `is` picks. */
function details(events: readonly AuditEvent[], is: (event: AuditEvent) => boolean): Detail {
  const ids = new Set(events.filter(is).map(({ action_id: id }) => id));
  const about = events.filter(({ action_id: id }) => id !== undefined && ids.has(id));
  return Object.assign({}, ...about.map(({ data }) => data.detail ?? {}));
}

function open(level: AuditLevel): Promise<Reach> {
  return openReach({
    ca,
    agent: '{ permissions: ["deny:http(POST localhost/refused)", "allow:*"], credentials: [main] }',
    tenant: `
exceptions: ["*"]
credentials: { main: { kind: bearer, source: "file:main.token", hosts: [localhost] } }`,
    top: `
routes: [{ host: localhost, path: /lent, credential: main }]
audit: { level: ${level} }
volumes: [{ name: work, mount: /work, path: ${JSON.stringify(work.path)} }]
mcp_servers:
  - { name: fix, executable: ${JSON.stringify(process.execPath)}, args: [${JSON.stringify(MCP_FIXTURE_PROGRAM)}], sandbox: none }`,
  });
}

async function allEvents({ gateway }: Reach): Promise<readonly AuditEvent[]> {
  return (await gateway.operator('/v1/audit/events?limit=200')).json<{ items: AuditEvent[] }>().items;
}

describe.each(AUDIT_LEVELS)('[TR-8] level `%s`', (level) => {
  let reach: Reach;
  let events: readonly AuditEvent[];
  const knows = { request: level !== 'metadata', bodies: level === 'full' };

  beforeAll(async () => {
    reach = await open(level);
    const { gateway } = reach;
    await writeFile(join(gateway.home, 'main.token'), LENT, { mode: 0o600 });
    await writeFile(join(work.path, 'a.txt'), 'what the file says');
    const headers = {
      'content-type': 'application/json',
      'x-note': 'hello',
      'x-api-key': 'own-key-of-the-agent',
    };
    await proxied(reach, `${echo.url}/lent?q=1&token=abcdef`, {
      headers,
      body: '{"say":"hi","password":"pass-in-a-body"}',
    });
    await proxied(reach, `${echo.url}/binary`, {});
    await proxied(reach, `${echo.url}/refused`, { headers, body: '{"no":"way"}' });
    const mcp = new McpTestClient(gateway, reach.token);
    await mcp.initialize();
    await mcp.call('fix/echo', { message: 'to the server' });
    await mcp.call('fs.read', { path: '/work/a.txt' });
    await gateway.agent('/v1/hooks/claude-code', {
      token: reach.token,
      json: {
        home: '/home/ana',
        event: {
          ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/tmp' },
          ...{ tool_name: 'Bash', tool_input: { command: 'echo from the hook' } },
        },
      },
    });
    await gateway.agent('/v1/approvals', {
      token: gateway.apiKey,
      json: { session_id: 's', action_type: 'exec_cmd', title: 'A title', preview: 'all of the question' },
    });
    await reach.eventsOnce('ProxyEvent::RequestAllowed', 2);
    await reach.eventsOnce('MCPToolEvent::InvocationCompleted', 2);
    events = await allEvents(reach);
  });
  afterAll(() => reach[Symbol.asyncDispose]());

  const pathIs = (path: string) => (event: AuditEvent) =>
    (event.data.target as JsonObject | undefined)?.path === path;
  const toolIs = (tool: string) => (event: AuditEvent) => event.data.tool === tool;

  test('a request through the proxy', () => {
    const found = details(events, pathIs('/lent'));
    expect(found.request).toEqual(
      knows.request
        ? {
            method: 'POST',
            url: `${echo.url}/lent?q=1&token=[redacted]`,
            headers: expect.objectContaining({ 'x-note': 'hello', 'content-type': 'application/json' }),
          }
        : undefined,
    );
    expect(found.status).toBe(knows.request ? 200 : undefined);
    expect(found.request_body).toEqual(
      knows.bodies
        ? {
            bytes: 40,
            sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
            type: 'application/json',
            text: '{"say":"hi","password":"[redacted]"}',
          }
        : undefined,
    );
    expect(found.response_body?.text).toEqual(
      knows.bodies ? expect.stringMatching(/^\{"seen":"[^"]*\*+[^"]*","said":"thank you"\}$/) : undefined,
    );
  });

  test('an answer that is no text', () => {
    const found = details(events, pathIs('/binary'));
    expect(found.response_body).toEqual(
      knows.bodies
        ? {
            ...{ bytes: 4, sha256: expect.any(String), type: 'application/json' },
            base64: Buffer.from([0, 159, 146, 150]).toString('base64'),
          }
        : undefined,
    );
  });

  test('a request that was refused', () => {
    const found = details(events, pathIs('/refused'));
    expect(found.request?.url).toBe(knows.request ? `${echo.url}/refused` : undefined);
    expect(found.request_body).toEqual(
      knows.bodies ? expect.objectContaining({ text: '{"no":"way"}', bytes: 12 }) : undefined,
    );
    expect(found.response_body).toBeUndefined();
  });

  test('a call of an MCP server, and of a file tool', () => {
    const called = details(events, toolIs('mcp:fix/echo'));
    expect(called.request).toEqual(knows.request ? { arguments: { message: 'to the server' } } : undefined);
    expect(called.status).toBe(knows.request ? 'ok' : undefined);
    expect(called.response_body).toEqual(
      knows.bodies ? { content: [{ type: 'text', text: 'Echo: to the server' }] } : undefined,
    );
    const read = details(events, toolIs('fs.read'));
    expect(read.request).toEqual(knows.request ? { arguments: { path: '/work/a.txt' } } : undefined);
    expect(JSON.stringify(read.response_body ?? '').includes('what the file says')).toBe(knows.bodies);
  });

  test('a call of a hook, and a question of an API client', () => {
    const hooked = details(events, toolIs('Bash'));
    expect(hooked.request).toEqual(
      knows.request ? { arguments: { command: 'echo from the hook' } } : undefined,
    );
    const asked = details(events, toolIs('approval'));
    expect(asked.request).toEqual(knows.request ? { session_id: 's', title: 'A title' } : undefined);
    expect(asked.request_body).toBe(knows.bodies ? 'all of the question' : undefined);
  });

  test('[CR-1] no lent value, own key of the agent or named secret is in any event', () => {
    const text = JSON.stringify(events);
    expect(echo.seen.some(({ headers }) => headers.authorization === `Bearer ${LENT}`)).toBe(true);
    for (const value of [LENT, 'own-key-of-the-agent', 'pass-in-a-body', 'abcdef'])
      for (const form of [
        value,
        Buffer.from(value).toString('base64').slice(0, -2),
        Buffer.from(value).toString('hex'),
      ])
        expect(text.includes(form), value).toBe(false);
  });

  test('[TR-4] each action is judged in one event, whatever is kept of it', () => {
    const judged = events.filter(({ data }) => data.judged !== undefined);
    const ids = judged.map(({ action_id: id }) => id);
    expect(ids.length).toBeGreaterThan(6);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('[TR-8] the events that docs/audit.md shows', () => {
  const page = readFileSync(join(import.meta.dirname, '../../../../docs/audit.md'), 'utf8');

  test.each(AUDIT_LEVELS)('are what is recorded at level `%s`', async (level) => {
    const shown: unknown = JSON.parse(
      new RegExp(`<!-- ${level} -->\\n\`\`\`json\\n([^\`]+)\`\`\``).exec(page)?.[1] ?? '',
    );
    await using reach = await open(level);
    await writeFile(join(reach.gateway.home, 'main.token'), LENT, { mode: 0o600 });
    await proxied(reach, `${echo.url}/lent?draft=1`, {
      headers: { 'content-type': 'application/json' },
      body: '{"text":"hello","token":"abcdefgh"}',
    });
    await reach.eventsOnce('ProxyEvent::RequestAllowed', 1);
    const about = (await allEvents(reach)).filter(({ action_id: id }) => id !== undefined);
    const recorded = Object.assign({}, ...about.toReversed().map(({ data }) => data));
    const detail = Object.assign({}, ...about.map(({ data }) => data.detail ?? {}));
    const all = level === 'metadata' ? recorded : { ...recorded, detail };
    // The same keys, all the way down, as far as the page goes; and of the detail, no others.
    expect(missing(shown, all)).toEqual([]);
    expect(missing(all.detail, (shown as JsonObject).detail)).toEqual([]);
  });
});

/** Paths of what the first one has and the second one has not, or has of another type. */
function missing(wanted: unknown, given: unknown, path = ''): readonly string[] {
  if (typeof wanted !== 'object' || wanted === null || Array.isArray(wanted))
    return typeof wanted === typeof given ? [] : [path];
  if (typeof given !== 'object' || given === null) return [path];
  return Object.entries(wanted).flatMap(([key, value]) =>
    missing(value, (given as JsonObject)[key], `${path}.${key}`),
  );
}

describe('[TR-8] at level `full`', () => {
  test('a long answer is cut in the event, and reaches the agent whole; the level changes while it runs', async () => {
    await using reach = await open('full');
    const answer = await proxied(reach, `${echo.url}/large`);
    expect(answer.bytes.length).toBe(1_000_000);
    const [event] = await reach.eventsOnce('ProxyEvent::RequestAllowed', 1);
    const detail = event?.data.detail as unknown as Detail;
    expect(detail.response_body).toMatchObject({ bytes: 1_000_000, cut: true });
    expect(String(detail.response_body?.text).length).toBe(65_536);
    const { gateway } = reach;
    const file = join(gateway.home, 'sallyport.yaml');
    await gateway.writeConfig((await readFile(file, 'utf8')).replace('level: full', 'level: metadata'));
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    await proxied(reach, `${echo.url}/large?again`);
    const after = await reach.eventsOnce('ProxyEvent::RequestAllowed', 2);
    expect(after.filter(({ data }) => data.detail !== undefined)).toHaveLength(1);
  });

  test('an agent that reads slowly is not read ahead of: nothing piles up for the event', async () => {
    // Far more than sockets hold: what is left is where the agent's slowness reached.
    const most = 256 * 1024 * 1024;
    const piece = Buffer.alloc(65_536, 'x');
    let written = 0;
    const upstream = createServer((_request, response) => {
      const more = (): void => {
        do written += piece.length;
        while (response.write(piece) && written < most);
      };
      response.on('drain', () => written < most && more());
      more();
    });
    onTestFinished(() => {
      upstream.closeAllConnections();
      return closeServer(upstream);
    });
    const host = `127.0.0.1:${await listenOnFreePort(upstream)}`;
    await using reach = await open('full');
    const before = process.memoryUsage().rss;
    const socket = connect(reach.gateway.ports.proxy, '127.0.0.1');
    await once(socket, 'connect');
    socket.pause();
    socket.write(
      `GET http://${host}/x HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: Bearer ${reach.token}\r\n\r\n`,
    );
    let last = -1;
    await waitUntil(
      'the writes to stop',
      () => {
        const isStill = written > 0 && written === last;
        last = written;
        return isStill;
      },
      { intervalMs: 500 },
    );
    expect(written).toBeLessThan(64 * 1024 * 1024);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
    socket.destroy();
    const [event] = await reach.eventsOnce('ProxyEvent::RequestAllowed', 1);
    expect(event?.data).toMatchObject({ error: 'AgentLeft', detail: { response_body: { cut: true } } });
  });
});

describe('[TR-8] SEAL', () => {
  let fixture: SealFixture;
  beforeAll(async () => {
    fixture = await openSealFixture();
  });
  afterAll(() => fixture[Symbol.asyncDispose]());

  test.each(AUDIT_LEVELS)('at level `%s`', async (level) => {
    await fixture.setLevel(level);
    const worker = await fixture.attached();
    await fixture.news();
    const { payload } = await worker.post(worker.envelope(worker.call('echo', 'hello')));
    const id = payload.type === 'dispatch' ? payload.dispatch_id : '';
    await worker.post(worker.envelope(worker.result(id)));
    const events = await fixture.newsWith('MCPToolEvent::InvocationCompleted');
    const detail: Detail = Object.assign({}, ...events.map(({ data }) => data.detail ?? {}));
    const isKept = level !== 'metadata';
    expect(detail.request).toEqual(isKept ? { arguments: { command: 'echo', args: ['hello'] } } : undefined);
    expect(detail.status).toBe(isKept ? 0 : undefined);
    expect(JSON.stringify(detail.response_body ?? '').includes('hello\\n')).toBe(level === 'full');
  });
});
