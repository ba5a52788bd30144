import { createHmac } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { closeServer, listenOnFreePort, tempDir, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AuditSink,
  type FeedLine,
  JsonlSink,
  OtlpSink,
  StdoutSink,
  WebhookSink,
} from '../../src/audit/index.ts';
import { Secret } from '../../src/shared/secret.ts';
import { describeAuditSinkContract } from './audit-sink.contract.ts';
import { judged } from './sample-events.ts';
import { openHome, trailHome } from './trail-harness.ts';

interface Post {
  readonly url: string;
  readonly signature: string | undefined;
  readonly body: string;
}

let server: Server;
let base: string;
const posts: Post[] = [];
const behaviour = new Map<string, 'fail' | 'hang'>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = request.url ?? '';
      if (behaviour.get(url) === 'hang') return;
      if (behaviour.get(url) === 'fail') return void response.writeHead(503).end();
      const signature = request.headers['sallyport-signature'];
      posts.push({ url, signature: signature?.toString(), body: Buffer.concat(chunks).toString() });
      response.writeHead(200).end();
    });
  });
  base = `http://127.0.0.1:${await listenOnFreePort(server)}`;
});
afterAll(() => closeServer(server));

const linesAt = (url: string): string[] =>
  posts.filter((post) => post.url === url).flatMap((post) => post.body.trim().split('\n'));
const secret = new Secret('webhook-signing-secret');
const webhook = (name: string) =>
  new WebhookSink({ name, url: `${base}/${name}`, secret, clock: { now: Date.now } });

describeAuditSinkContract('JsonlSink', async () => {
  const dir = await tempDir();
  const folder = join(dir.path, 'audit');
  return {
    sink: new JsonlSink({ folder }),
    taken: async () =>
      (await readFile(join(folder, 'default-000000000001.jsonl'), 'utf8')).trim().split('\n'),
    breakIt: () => writeFile(folder, 'a file where the folder should be'),
    dispose: dir.remove,
  };
});

describeAuditSinkContract('StdoutSink', async () => {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
  });
  return {
    sink: new StdoutSink(stream),
    taken: async () => text.trim().split('\n'),
    breakIt: async () => void stream.destroy(),
    dispose: async () => {},
  };
});

describeAuditSinkContract('WebhookSink', async () => {
  const name = `contract-${Math.random()}`;
  return {
    sink: webhook(name),
    taken: async () => linesAt(`/${name}`),
    breakIt: async () => void behaviour.set(`/${name}`, 'fail'),
    dispose: async () => {},
  };
});

describeAuditSinkContract('OtlpSink', async () => {
  const name = `otlp-${Math.random()}`;
  return {
    sink: new OtlpSink({ name: 'test', endpoint: `${base}/${name}/`, serviceName: 'sallyport' }),
    taken: async () =>
      linesAt(`/${name}/v1/logs`).flatMap((line) => {
        const { resourceLogs } = JSON.parse(line) as {
          resourceLogs: { scopeLogs: { logRecords: { body: { stringValue: string } }[] }[] }[];
        };
        return resourceLogs[0]?.scopeLogs[0]?.logRecords.map((record) => record.body.stringValue) ?? [];
      }),
    breakIt: async () => void behaviour.set(`/${name}/v1/logs`, 'fail'),
    dispose: async () => {},
  };
});

test('a webhook request is signed over time and body', async () => {
  const line: FeedLine = { tenant: 't', seq: 1, id: 'evt_1', type: 'x', json: '{"a":1}' };
  await webhook('signed').write([line], AbortSignal.timeout(5_000));
  const post = posts.find(({ url }) => url === '/signed');
  const [, time, digest] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(post?.signature ?? '') ?? [];
  expect(createHmac('sha256', secret.reveal()).update(`${time}.${post?.body}`).digest('hex')).toBe(digest);
});

test('a sink that was down gets every event once, in order, and failure and recovery are events', async () => {
  await using home = await trailHome();
  behaviour.set('/down', 'fail');
  await using opened = await openHome(home, { sinks: [webhook('down')] });
  const { trail } = opened;
  for (let n = 1; n <= 50; n += 1) await trail.append(judged(n));
  await waitUntil('the failure to be visible', () => trail.health.sinks[0]?.problem !== undefined);
  behaviour.delete('/down');
  await waitUntil('the sink to have everything', () => linesAt('/down').length >= 52);
  await waitUntil('nothing to be left', () => trail.health.sinks[0]?.lag === 0);
  const stored = (await trail.read({ limit: 1_000, order: 'asc' })).items;
  expect(linesAt('/down')).toEqual(stored.map(({ json }) => json));
  const types = stored.map(({ type }) => type);
  expect(types).toContain('AuditEvent::SinkFailed');
  expect(types).toContain('AuditEvent::SinkRecovered');
});

test('[TR-5] a sink that hangs slows no append, and after a restart nothing is lost or doubled', async () => {
  await using home = await trailHome();
  behaviour.set('/hangs', 'hang');
  {
    await using opened = await openHome(home, { sinks: [webhook('hangs')] });
    await Promise.all(Array.from({ length: 20_000 }, (_, n) => opened.trail.append(judged(n))));
    expect(opened.trail.health.problem).toBeUndefined();
  }
  expect(linesAt('/hangs')).toEqual([]);
  behaviour.delete('/hangs');
  await using opened = await openHome(home, { sinks: [webhook('hangs')] });
  await opened.trail.append(judged(1));
  await waitUntil('the sink to catch up', () => linesAt('/hangs').length >= 20_001);
  const seqs = linesAt('/hangs').map((line) => (JSON.parse(line) as { seq: number }).seq);
  expect(seqs).toEqual(Array.from({ length: 20_001 }, (_, i) => i + 1));
});

test('files hold the bytes of the rows, are the owner’s only, rotate, and go on after a crash', async () => {
  await using home = await trailHome();
  const sink = (): AuditSink => new JsonlSink({ folder: home.folder, rotateBytes: 3_000 });
  {
    await using opened = await openHome(home, { sinks: [sink()] });
    for (let n = 1; n <= 40; n += 1) {
      await opened.trail.append(judged(n));
      // A batch is never split: the next file begins with the next one.
      if (n % 10 === 0)
        await waitUntil('a batch to be written', () => opened.trail.health.sinks[0]?.lag === 0);
    }
    await opened.trail.append(judged(1, { tenant: '../evil/..' }));
  }
  const newest =
    (await readdir(home.folder))
      .filter((name) => name.startsWith('default'))
      .sort()
      .at(-1) ?? '';
  const before = await readFile(join(home.folder, newest));
  // What a crash leaves: half a line
  await writeFile(join(home.folder, newest), Buffer.concat([before, Buffer.from('{"id":"evt_half')]));
  await using opened = await openHome(home, { sinks: [sink()] });
  for (let n = 41; n <= 60; n += 1) await opened.trail.append(judged(n));
  await waitUntil('the files to be complete', () => opened.trail.health.sinks[0]?.lag === 0);

  const names = (await readdir(home.folder)).sort();
  expect(names.filter((name) => name.startsWith('default')).length).toBeGreaterThan(3);
  expect(names.some((name) => name.includes('evil') && !name.includes('/'))).toBe(true);
  const text = async (name: string) => readFile(join(home.folder, name), 'utf8');
  const files = (await Promise.all(names.filter((name) => name.startsWith('default')).map(text))).join('');
  const rows = (await opened.trail.read({ tenant: 'default', limit: 1_000, order: 'asc' })).items;
  expect(files).toBe(rows.map(({ json }) => `${json}\n`).join(''));
  for (const name of names) expect((await stat(join(home.folder, name))).mode & 0o777).toBe(0o600);
});
