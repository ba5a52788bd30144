import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StatusSchema } from '@sallyport/protocol';
import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startTestGateway();
});
afterAll(() => gateway.close());

interface Events {
  readonly items: readonly { readonly id: string; readonly seq: number; readonly type: string }[];
  readonly next_cursor: string | null;
}

async function events(query: string): Promise<Events> {
  const answer = await gateway.operator(`/v1/audit/events${query}`);
  expect(answer.status).toBe(200);
  return answer.json<Events>();
}

test.each(['/healthz', '/health'])('%s says ok on both sides, to anyone', async (path) => {
  const agent = (await gateway.agent(path)).json();
  expect(agent).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/), side: 'agent' });
  expect((await gateway.operator(path)).json()).toMatchObject({ status: 'ok', side: 'operator' });
  expect((await gateway.agent(path, { method: 'HEAD' })).status).toBe(200);
});

test('status tells what runs, where, and how it is', async () => {
  const status = StatusSchema.parse((await gateway.operator('/v1/status')).json());
  expect(status).toMatchObject({
    pid: process.pid,
    home: gateway.home,
    ports: gateway.ports,
    store: { engine: 'sqlite', location: join(gateway.home, 'sallyport.db') },
    config: { files: [join(gateway.home, 'sallyport.yaml')], rejected: null, needs_restart: [] },
  });
  const heads = await events('?limit=1');
  expect(status.trail).toMatchObject([{ tenant: 'default', seq: heads.items[0]?.seq }]);
});

test('metrics count requests by route, never by what callers send', async () => {
  await gateway.agent('/made-up-path-12345', { method: 'PROPFIND' });
  const { text, headers } = await gateway.operator('/metrics');
  expect(headers['content-type']).toContain('text/plain');
  expect(text).toMatch(/sallyport_http_requests_total\{[^}]*route="\/healthz"[^}]*\} \d+/);
  expect(text).toMatch(/^sallyport_sessions_live \d+$/m);
  expect(text).toMatch(/^sallyport_audit_events [1-9]\d*$/m);
  expect(text).toMatch(/^sallyport_audit_queue_events 0$/m);
  expect(text).toContain('process_cpu_seconds_total');
  expect(text).not.toMatch(/made-up|PROPFIND/);
});

describe('API keys', () => {
  test('are shown once, listed without value, and gone when revoked', async () => {
    const created = await gateway.operator('/v1/keys', { json: { name: 'ci' } });
    expect(created.status).toBe(201);
    const { id, key, client_id } = created.json<Record<string, string>>();
    expect(key).toMatch(/^spk_/);
    const listed = await gateway.operator('/v1/keys');
    expect(listed.text).not.toContain(key);
    expect(listed.json<{ items: unknown[] }>().items[0]).toMatchObject({ id, client_id, name: 'ci' });
    expect((await gateway.operator(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(204);
    expect((await gateway.operator(`/v1/keys/${id}`, { method: 'DELETE' })).status).toBe(404);
  });

  test('are not made for a tenant that does not exist', async () => {
    const answer = await gateway.operator('/v1/keys', { json: { tenant: 'ghost', name: 'x' } });
    expect(answer.json()).toMatchObject({ error: { code: 'NotFound' } });
    expect((await gateway.operator('/v1/keys', { json: { tenant: '__proto__', name: 'x' } })).status).toBe(
      404,
    );
  });
});

test('a new enrollment secret ends the one before and is in the file of the home', async () => {
  const before = await readFile(join(gateway.home, 'enrollment.secret'), 'utf8');
  const made = await gateway.operator('/v1/enrollment', { json: { tenant: 'default' } });
  const { enrollment_secret } = made.json<{ enrollment_secret: string }>();
  expect((await readFile(join(gateway.home, 'enrollment.secret'), 'utf8')).trim()).toBe(enrollment_secret);
  const open = (secret: string) =>
    gateway.agent('/session/new', { json: { tenant_id: 'default', enrollment_secret: secret } });
  expect((await open(before.trim())).status).toBe(401);
  expect((await open(enrollment_secret)).status).toBe(201);
});

describe('the trail', () => {
  test('is listed newest first, page by page, each event once', async () => {
    const all = await events('?limit=200');
    const seen: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const page: Events = await events(`?limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`);
      seen.push(...page.items.map(({ id }) => id));
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(all.items.map(({ id }) => id));
    expect(all.items.map(({ seq }) => seq)).toEqual(all.items.map((_, index) => all.items.length - index));
  });

  test.each([
    { query: '?type=GatewayEvent::Started', expected: 1 },
    { query: '?text=GatewayEvent::Started', expected: 1 },
    { query: '?tenant=ghost', expected: 0 },
    { query: '?action_id=act_none', expected: 0 },
    { query: '?since=2999-01-01T00:00:00Z', expected: 0 },
    { query: '?until=2000-01-01T00:00:00Z', expected: 0 },
    { query: '?type=GatewayEvent::Started&since=2000-01-01T00:00:00%2B02:00', expected: 1 },
  ])('is filtered by $query', async ({ query, expected }) => {
    expect((await events(query)).items).toHaveLength(expected);
  });

  test('gives one event by its id', async () => {
    const [first] = (await events('?limit=1')).items;
    expect((await gateway.operator(`/v1/audit/events/${first?.id}`)).json()).toEqual(first);
  });

  test('is exported as lines, the bytes of the files', async () => {
    const { text, headers } = await gateway.operator('/v1/audit/export?tenant=default');
    expect(headers['content-type']).toContain('application/x-ndjson');
    const lines = text.trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).seq)).toEqual(lines.map((_, index) => index + 1));
  });

  test('is verified, and what was tampered with is named', async () => {
    const answer = await gateway.operator('/v1/audit/verify', { method: 'POST' });
    expect(answer.json()).toMatchObject({
      ok: true,
      tenants: [{ tenant: 'default', ok: true, problem: null }],
    });

    const { DatabaseSync } = await import('node:sqlite');
    const db = new DatabaseSync(join(gateway.home, 'sallyport.db'));
    db.exec(
      `UPDATE events SET json = replace(json, 'Started', 'Stopped') WHERE type = 'GatewayEvent::Started'`,
    );
    const { seq } = db.prepare(`SELECT seq FROM events WHERE type = 'GatewayEvent::Started'`).get()!;
    const broken = await gateway.operator('/v1/audit/verify', { json: { tenant: 'default' } });
    db.exec(
      `UPDATE events SET json = replace(json, 'Stopped', 'Started') WHERE type = 'GatewayEvent::Started'`,
    );
    db.close();
    expect(broken.json()).toMatchObject({ ok: false, tenants: [{ ok: false, problem: { seq } }] });
  });
});

test('no answer and no log line holds a secret that was not asked for', async () => {
  const secrets = [gateway.operatorToken, gateway.apiKey, gateway.enrollmentSecret, gateway.inboxSecret];
  await gateway.agent('/session', { token: gateway.operatorToken });
  await gateway.agent('/session/new', { json: { tenant_id: gateway.operatorToken, enrollment_secret: 'x' } });
  const paths = ['/v1/status', '/v1/config', '/v1/sessions', '/v1/keys', '/v1/audit/export', '/metrics'];
  const texts = await Promise.all(paths.map(async (path) => (await gateway.operator(path)).text));
  const everything = [...texts, ...gateway.log].join('\n');
  for (const secret of secrets) expect(everything).not.toContain(secret);
});
