import { generateKeyPairSync } from 'node:crypto';
import { statSync } from 'node:fs';
import type { JsonObject } from '@sallyport/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { nonce, OPERATOR, openSealFixture, type SealFixture, TestWorker } from './seal-fixture.ts';

let fixture: SealFixture;

beforeAll(async () => {
  fixture = await openSealFixture();
});
afterAll(() => fixture[Symbol.asyncDispose]());

async function fresh(): Promise<TestWorker> {
  const session = await fixture.openSession();
  return new TestWorker(fixture, await fixture.createWorkload(session.id));
}

test('[TO-6] a worker is taken in with its secret, and is what our record says it is', async () => {
  const worker = await fresh();
  const answer = await worker.attest();
  expect(answer.status).toBe(200);
  const body = (await answer.json()) as JsonObject;
  expect(Object.keys(body).sort()).toEqual(['expires_at', 'security_token', 'session_id', 'status']);
  expect(body).toMatchObject({ status: 'attested', session_id: worker.workload.session_id });
  const news = await fixture.news();
  expect(news).toContainEqual({
    type: 'SealEvent::WorkloadAttested',
    data: {
      workload: worker.workload.workload_id,
      session: worker.workload.session_id,
      execution: worker.workload.execution_id,
    },
  });
  expect(news.map(({ type }) => type)).toContain('SealEvent::WorkloadCreated');
  expect(JSON.stringify(news)).not.toContain(worker.workload.attestation_secret);
  expect(statSync(fixture.keyFile).mode & 0o777).toBe(0o600);
});

const other = (): string => String(generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' }).x);

describe('[TO-6] an attestation is refused in the same words', () => {
  test.each<{ why: string; attempt: (worker: TestWorker) => Promise<Response> }>([
    { why: 'a wrong secret', attempt: (worker) => worker.attest({ attestation_secret: `spa_${nonce()}` }) },
    { why: 'a workload that never was', attempt: (worker) => worker.attest({ workload_id: 'wl_none' }) },
    {
      why: 'the secret of another workload',
      attempt: async (worker) =>
        worker.attest({ attestation_secret: (await fresh()).workload.attestation_secret }),
    },
    {
      why: 'a secret that was used',
      attempt: async (worker) => {
        expect((await worker.attest()).status).toBe(200);
        return worker.attest({ public_key: other() });
      },
    },
    {
      why: 'a secret that is too old',
      attempt: (worker) => {
        fixture.clock.advance(121_000);
        return worker.attest();
      },
    },
    {
      why: 'a session that ended',
      attempt: async (worker) => {
        await fixture.sessions.end(worker.workload.session_id, 'over', OPERATOR);
        return worker.attest();
      },
    },
    { why: 'a proof without an attestation before', attempt: (worker) => worker.attestAgain() },
    {
      why: 'a proof by another key',
      attempt: async (worker) => {
        await worker.attest();
        return worker.attestAgain({}, generateKeyPairSync('ed25519').privateKey);
      },
    },
    {
      why: 'a proof of long ago',
      attempt: async (worker) => {
        await worker.attest();
        return worker.attestAgain({ timestamp: new Date(fixture.clock.now() - 31_000).toISOString() });
      },
    },
    {
      why: 'a proof for the second time',
      attempt: async (worker) => {
        await worker.attest();
        const proof = { nonce: nonce() };
        expect((await worker.attestAgain(proof)).status).toBe(200);
        return worker.attestAgain(proof);
      },
    },
    {
      why: 'the place of a worker that another has taken',
      attempt: async (worker) => {
        await worker.attest();
        await fixture.createWorkload(worker.workload.session_id, worker.workload.execution_id);
        return worker.attestAgain();
      },
    },
  ])('$why', async ({ attempt }) => {
    const worker = await fresh();
    await fixture.news();
    const answer = await attempt(worker);
    expect(answer.status).toBe(403);
    expect(await answer.json()).toMatchObject({
      code: 'AttestationRefused',
      message: 'the attestation is not valid',
    });
    expect((await fixture.news()).map(({ type }) => type)).toContain('SealEvent::AttestationRefused');
  });

  test('many at once with one secret: one of them gets in', async () => {
    const worker = await fresh();
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => worker.attest({ public_key: other() })),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  test.each([
    { why: 'an agent of its own choice', over: { agent: 'root' } },
    { why: 'a tenant of its own choice', over: { tenant_id: 'other' } },
    { why: 'a key that is none', over: { public_key: 'short' } },
    { why: 'a secret and a proof', over: { proof: {} } },
  ])('$why is not even read', async ({ over }) => {
    const worker = await fresh();
    expect((await worker.attest(over)).status).toBe(400);
    expect((await worker.attest()).status).toBe(200);
  });
});

test('a workload is made for a live session and for executions of its own', async () => {
  const session = await fixture.openSession();
  const foreign = await fresh();
  await expect(fixture.createWorkload('sess_none')).rejects.toMatchObject({ code: 'NotFound' });
  await expect(fixture.createWorkload(session.id, foreign.workload.execution_id)).rejects.toMatchObject({
    code: 'NotFound',
  });
  await fixture.sessions.end(session.id, 'over', OPERATOR);
  await expect(fixture.createWorkload(session.id)).rejects.toMatchObject({ code: 'NotFound' });
});
