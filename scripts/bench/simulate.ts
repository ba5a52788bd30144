import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Action } from '@sallyport/protocol';
import {
  type ActionBuilder,
  type ActionContext,
  loadActionBuilders,
} from '../../packages/gateway/src/actions/index.ts';
import { loadPolicyParts } from '../../packages/gateway/src/admission/policy-parts.ts';
import { openTrail, Redactor } from '../../packages/gateway/src/audit/index.ts';
import { firstConfigText, loadConfig, resolveHome } from '../../packages/gateway/src/config/index.ts';
import { MemoryCoordination } from '../../packages/gateway/src/coordination/index.ts';
import { Gate, Grants, type PolicySet, RateCounters } from '../../packages/gateway/src/gate/index.ts';
import { PolicyQuestions } from '../../packages/gateway/src/rehearsal/index.ts';
import { GrantsRepository, openStore } from '../../packages/gateway/src/store/index.ts';
import { median, reportBench } from './report.ts';

// What `sallyport simulate` does: decisions of `Gate.admit` in a real trail, read back and judged again.
const ACTIONS = 100_000;
const ROUNDS = 3;
const CALLERS = 512;
const CONTEXT: ActionContext = {
  door: 'hook',
  actor: {
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    session: 'sess_bench',
    chain: ['dev'],
    confinement: 'jailed',
  },
  cwd: '/workspace',
  home: '/home/ana',
};
const COMMANDS = [
  'npm test',
  'git status',
  'grep -rn x src | head',
  'git commit -m x && git push origin main',
];
const REQUESTS = ['GET /repos/acme/app', 'POST /repos/acme/app/issues', 'GET /user'];

const home = await mkdtemp(join(tmpdir(), 'sallyport-bench-'));
try {
  await run();
} finally {
  await rm(home, { recursive: true, force: true });
}

async function run(): Promise<void> {
  const env = { HOME: home };
  const paths = resolveHome(env);
  const parts = loadPolicyParts(paths, env);
  const load = (file: string) => parts.compile(loadConfig({ file, env, checks: [parts.check] }));
  const before = join(home, 'before.yaml');
  const after = join(home, 'after.yaml');
  const first = firstConfigText({ osUser: 'ana' });
  await writeFile(before, first);
  // A tenth of the actions is a Write in docs/: those must differ, all others must not.
  await writeFile(after, first.replace('["allow:*"]', '["deny:Write(./docs/**)", "allow:*"]'));

  const clock = { now: Date.now };
  const store = await openStore({ sqliteFile: join(home, 'sallyport.db') });
  const trail = await openTrail({
    store,
    signingKeyFile: join(home, 'audit.key'),
    level: 'metadata',
    redactor: new Redactor(),
    clock,
  });
  const policies = load(before);
  const grants = new Grants({
    repository: new GrantsRepository(store),
    trail,
    clock,
    allowAlways: () => true,
  });
  const recorded = await record(gateOf(policies, grants, trail, clock));
  const questions = new PolicyQuestions({
    redactor: new Redactor(),
    policies: () => policies,
    loadPolicies: load,
    loadBuilders: loadActionBuilders,
    telemetry: parts.telemetry,
    registries: parts.registries,
    trail,
    grants,
    cwd: '/workspace',
    home,
  });

  const seconds: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const start = performance.now();
    const { judged, differ, skipped } = await questions.simulate({ policy: after });
    seconds.push((performance.now() - start) / 1_000);
    if (judged !== ACTIONS || differ !== ACTIONS / 10 || skipped !== 0)
      throw new Error(`${judged} judged, ${differ} differ, ${skipped} skipped`);
  }
  await trail.close();
  await store.close();

  reportBench(
    'simulate',
    [
      { name: 'record by Gate.admit', value: recorded, unit: 'actions/s' },
      { name: 'simulate 100,000 actions', value: median(seconds), unit: 's' },
      { name: 'replay', value: ACTIONS / median(seconds), unit: 'actions/s' },
    ],
    [{ name: 'simulate 100,000 actions', floor: 10, ceiling: true }],
  );
}

function gateOf(
  policies: PolicySet,
  grants: Grants,
  trail: Awaited<ReturnType<typeof openTrail>>,
  clock: { now(): number },
): Gate {
  return new Gate({
    policyOf: (tenant) => policies.policyOf(tenant),
    identityOf: (action) => ({
      kind: 'session',
      alive: true,
      expiresAt: clock.now() + 3_600_000,
      rights: policies.rightsOf(action),
      workspace: '/workspace',
      project: '/workspace',
    }),
    isToolKnown: () => true,
    counters: new RateCounters(new MemoryCoordination(clock)),
    machine: () => ({ ownPorts: new Set(), machine: new Set() }),
    grants,
    trail,
    clock,
  });
}

/** Actions as agents make them: commands, files, requests, pushes; a tenth of them writes in docs/. */
async function record(gate: Gate): Promise<number> {
  const builder = (await loadActionBuilders())();
  let next = 0;
  const start = performance.now();
  await Promise.all(
    Array.from({ length: CALLERS }, async () => {
      while (next < ACTIONS) {
        next += 1;
        await gate.admit(actionOf(builder, next));
      }
    }),
  );
  return (ACTIONS / (performance.now() - start)) * 1_000;
}

function actionOf(builder: ActionBuilder, i: number): Action {
  const kind = i % 10;
  if (kind === 0)
    return builder.tool({ tool: 'Write', input: { file_path: `docs/${i}.md`, content: 'x' } }, CONTEXT);
  if (kind < 4) return builder.tool({ tool: 'Read', input: { file_path: `src/${i}.ts` } }, CONTEXT);
  if (kind < 7)
    return builder.tool({ tool: 'Bash', input: { command: COMMANDS[i % COMMANDS.length] ?? '' } }, CONTEXT);
  const [method = 'GET', path = '/'] = (REQUESTS[i % REQUESTS.length] ?? '').split(' ');
  return builder.http(
    {
      scheme: 'https',
      host: i % 5 === 0 ? `host${i % 100}.example` : 'api.github.com',
      port: 443,
      method,
      target: `${path}?n=${i}`,
      headers: [],
      bodyComplete: true,
    },
    {},
    { ...CONTEXT, door: 'proxy' },
  ).action;
}
