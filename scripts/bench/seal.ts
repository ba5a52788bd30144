import { generateKeyPairSync, type KeyObject, randomBytes, sign, verify } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MemoryCoordination } from '../../packages/gateway/src/coordination/index.ts';
import { AttachedWorkers } from '../../packages/gateway/src/doors/seal/attached-workers.ts';
import { EnvelopeCheck, TimeWindow } from '../../packages/gateway/src/doors/seal/envelope-check.ts';
import { loadSealKey } from '../../packages/gateway/src/doors/seal/seal-key.ts';
import { SecurityTokens } from '../../packages/gateway/src/doors/seal/security-tokens.ts';
import type { SessionFacts } from '../../packages/gateway/src/identity/index.ts';
import { canonicalJson } from '../../packages/gateway/src/shared/canonical-json.ts';
import { median, reportBench } from './report.ts';

// A whole envelope, from the bytes of the request to an accepted payload (JSON, duplicate keys, schema, canonical form,
// signature, token, session, time, replay), against nothing but the signature of the same bytes. Interleaved rounds.

const ENVELOPES = 2_000;
const ROUNDS = 9;
const NOW = Date.UTC(2026, 0, 1);

const clock = { now: () => NOW };
const actor = { tenant: 'default', agent: 'dev', chain: ['dev'], confinement: 'jailed' } as const;
const session: SessionFacts = {
  ...{ id: 'sess_bench', user: 'ana', credentials: [], createdAt: NOW - 1, expiresAt: NOW + 3_600_000 },
  ...actor,
};

interface Signed {
  readonly body: Uint8Array;
  readonly text: Uint8Array;
  readonly signature: Uint8Array;
}

const home = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
try {
  await run(join(home, 'seal.key'));
} finally {
  await rm(home, { recursive: true, force: true });
}

async function run(keyFile: string): Promise<void> {
  const key = loadSealKey(keyFile);
  const tokens = new SecurityTokens(() => key, clock);
  const workload = {
    ...{ id: 'wl_bench', tenant: 'default', session: session.id, agent: 'dev', execution: 'exec_bench' },
    ...{ scope: 'build', publicKey: undefined, endedAt: undefined },
  };
  const token = await tokens.issue(workload, session.expiresAt);
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const envelopes = Array.from({ length: ENVELOPES }, () => envelope(token.text, privateKey));
  const window = new TimeWindow(clock, NOW - 60_000);

  const bare: number[] = [];
  const whole: number[] = [];
  for (let round = -1; round < ROUNDS; round += 1) {
    const workers = new AttachedWorkers();
    workers.attach({ workload, key: publicKey, token, actor });
    const nonces = new MemoryCoordination(clock).oneTime({ name: 'bench', ms: 61_000, most: 65_536 });
    const check = new EnvelopeCheck({
      workers,
      tokens,
      sessions: { peek: () => session },
      window,
      nonces,
      clock,
    });
    const bareRate = await rate(({ text, signature }) => {
      if (!verify(null, text, publicKey, signature)) throw new Error('a wrong answer');
    }, envelopes);
    const wholeRate = await rate(async ({ body }) => {
      const outcome = await check.accept(body);
      if ('refusal' in outcome) throw outcome.refusal;
    }, envelopes);
    // The first round warms up.
    if (round < 0) continue;
    bare.push(bareRate);
    whole.push(wholeRate);
  }
  const share = 'envelope over bare signature';
  reportBench(
    'seal',
    [
      { name: 'bare Ed25519 verification', value: median(bare), unit: '1/s' },
      { name: 'envelope verification', value: median(whole), unit: '1/s' },
      {
        name: share,
        value: median(whole.map((value, index) => value / (bare[index] ?? Number.NaN))),
        unit: '×',
      },
    ],
    [{ name: share, floor: 0.75 }],
  );
}

/** A file to be written, as agents send them: a few hundred characters. */
function envelope(token: string, privateKey: KeyObject): Signed {
  const payload = {
    type: 'tool_call',
    tool: 'fs.write',
    arguments: { path: '/workspace/src/solution.ts', content: 'export const answer = 42;\n'.repeat(8) },
    nonce: randomBytes(18).toString('base64url'),
  };
  const signed = { payload, security_token: token, timestamp: new Date(NOW).toISOString() };
  const text = Buffer.from(canonicalJson(signed));
  const signature = sign(null, text, privateKey);
  const sent = { protocol: 'seal/v1', ...signed, signature: signature.toString('base64url') };
  return { body: Buffer.from(JSON.stringify(sent)), text, signature };
}

/** Times a second of one core: CPU time, so that a busy machine does not count. */
async function rate(take: (envelope: Signed) => unknown, envelopes: readonly Signed[]): Promise<number> {
  const start = cpuSeconds();
  for (const one of envelopes) await take(one);
  return envelopes.length / (cpuSeconds() - start);
}

function cpuSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1_000_000;
}
