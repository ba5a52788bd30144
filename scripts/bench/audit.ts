import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { NewEvent } from '@sallyport/protocol';
import {
  JsonlSink,
  openTrail,
  Redactor,
  type Trail,
  verifyTrail,
} from '../../packages/gateway/src/audit/index.ts';
import { Secret } from '../../packages/gateway/src/shared/secret.ts';
import { openStore } from '../../packages/gateway/src/store/index.ts';
import { median, reportBench } from './report.ts';

// The trail as the gateway runs it: SQLite with synchronous=FULL, redaction with 100 known secrets, JSONL files.
const EVENTS = 80_000;
const ROUNDS = 3;
const CALLERS = 4_096;

const home = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
try {
  await run();
} finally {
  await rm(home, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const store = await openStore({ sqliteFile: join(home, 'sallyport.db') });
  const redactor = new Redactor();
  for (let i = 0; i < 100; i += 1)
    redactor.learn(new Secret(`bench-secret-${i}-${Math.random().toString(36)}`));
  const folder = join(home, 'audit');
  const trail = await openTrail({
    store,
    signingKeyFile: join(home, 'audit.key'),
    level: 'metadata',
    redactor,
    clock: { now: Date.now },
    sinks: [new JsonlSink({ folder })],
  });

  await appendMany(trail, 10_000);
  const appended: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) appended.push(await appendMany(trail, EVENTS));

  const waits: number[] = [];
  for (let i = 0; i < 300; i += 1) {
    const start = performance.now();
    await trail.append(event(i));
    waits.push(performance.now() - start);
  }
  await trail.close();

  const events = 10_000 + ROUNDS * EVENTS + waits.length;
  const verified: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    verified.push(await verifyRate(() => verifyTrail({ store, publicKeys: [trail.publicKey] }), events));
  }
  const withFiles = await verifyRate(
    () => verifyTrail({ store, folder, publicKeys: [trail.publicKey] }),
    events,
  );
  await store.close();

  reportBench(
    'audit',
    [
      { name: 'append, durable', value: median(appended), unit: 'events/s' },
      { name: 'append, one caller', value: median(waits), unit: 'ms' },
      { name: 'verify', value: median(verified), unit: 'events/s' },
      { name: 'verify with files', value: withFiles, unit: 'events/s' },
    ],
    [
      { name: 'append, durable', floor: 40_000 },
      { name: 'verify', floor: 200_000 },
    ],
  );
}

/** Many callers, each of which waits for its event to be durable before it appends the next. */
async function appendMany(trail: Trail, count: number): Promise<number> {
  let left = count;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (left > 0) {
        left -= 1;
        await trail.append(event(left));
      }
    }),
  );
  return (count / (performance.now() - start)) * 1_000;
}

async function verifyRate(verify: () => ReturnType<typeof verifyTrail>, events: number): Promise<number> {
  const start = performance.now();
  const report = await verify();
  const seconds = (performance.now() - start) / 1_000;
  if (!report.ok || report.tenants[0]?.events !== events)
    throw new Error(`verify: ${JSON.stringify(report)}`);
  return events / seconds;
}

function event(i: number): NewEvent {
  return {
    tenant: 'default',
    type: 'ActionEvent::Judged',
    action_id: 'act_01k9zexampleexampleexample',
    actor: {
      kind: 'agent',
      tenant: 'default',
      user: 'ana',
      agent: 'helper',
      session: 'sess_01k9zexampleexampleexampl',
      chain: ['helper'],
      confinement: 'jailed',
    },
    data: {
      tool: 'http',
      type: 'comms:external',
      effect: 'read',
      risk: 'low',
      target: { kind: 'http', method: 'GET', host: 'api.example.com', port: 443, path: `/v1/things/${i}` },
      outcome: 'allow',
      opinions: [
        { layer: 'identity', says: 'nothing' },
        { layer: 'rules', says: 'allow', reason: 'matches', rule: 'api.example.com' },
      ],
    },
  };
}
