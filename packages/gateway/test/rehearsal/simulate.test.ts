import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Action, AuditEvent } from '@sallyport/protocol';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadActionBuilders } from '../../src/actions/index.ts';
import { Redactor } from '../../src/audit/index.ts';
import { loadConfig } from '../../src/config/index.ts';
import { bash, CWD, fact, file, http, mcp, OPTIONS } from '../../src/gate/gate.fixture.ts';
import { createPolicyChecks, PolicySet } from '../../src/gate/index.ts';
import { PolicyQuestions, Simulation } from '../../src/rehearsal/index.ts';
import { type GateFixture, openGate } from '../gate/gate-fixture.ts';

/** The policy under which everything is recorded, as a person wrote it. */
const RECORDED = `
tenants:
  default: { users: { ana: { roles: [owner] } }, exceptions: ["http(POST api.github.com/repos/acme/**)"] }
  other: { users: { ana: { roles: [owner] } } }
roles: { owner: { allow: ["agent:*", "tool:*"] } }
network: { rules: [{ host: "@known", action: allow }] }
agents:
  dev: { permissions: ["deny:Bash(rm *)", "allow:*"] }
`;

let gate: GateFixture;
let dir: TempDir;
let number = 0;
const id = () => {
  number += 1;
  return `act_${number}`;
};

const policiesOf = (text: string): PolicySet => {
  const path = join(dir.path, 'tried.yaml');
  writeFileSync(path, text);
  const checks = [createPolicyChecks({ lists: OPTIONS.lists.keys() })];
  return new PolicySet(loadConfig({ file: path, env: {}, checks }), OPTIONS);
};

beforeEach(async () => {
  dir = await tempDir();
  const { config } = policiesOf(RECORDED).loaded;
  gate = await openGate(config);
});
afterEach(async () => {
  await gate[Symbol.asyncDispose]();
  await dir.remove();
});

async function record(...actions: readonly Action[]): Promise<void> {
  for (const action of actions) await gate.gate.admit(action);
  // A read that passed is noted, not awaited; a refusal that is awaited comes after it.
  await gate.gate.admit(bash('rm -rf /', { id: 'act_last' }));
}

const simulate = (text: string, over: { readonly since?: number; readonly tenant?: string } = {}) => {
  const questions = new PolicyQuestions({
    redactor: new Redactor(),
    policies: () => policiesOf(RECORDED),
    loadPolicies: () => policiesOf(text),
    loadBuilders: loadActionBuilders,
    telemetry: [],
    registries: () => [],
    trail: gate.trail,
    grants: gate.grants,
    cwd: '/workspace',
    home: '/home/ana',
  });
  return questions.simulate({ policy: 'tried.yaml', ...over });
};

const actions = (): readonly Action[] => [
  bash('ls', { id: id() }),
  bash('git log', { id: id() }),
  file('Write', `${CWD}/a`, { id: id(), effect: 'write' }),
  http('GET api.github.com/repos/a', {}, { id: id() }),
  http('POST api.github.com/repos/acme/app/issues', {}, { id: id() }),
  http('POST api.github.com/repos/evil/app/issues', {}, { id: id() }),
  http('GET news.example/x', {}, { id: id() }),
  mcp('github', 'create_issue', { id: id(), effect: 'write', reach: 'remote' }),
  bash([fact('curl $x', { unknown: '`$x` is not known before it runs' })], { id: id() }),
];

describe('simulate', () => {
  test('the same policy decides the same, about every recorded action', async () => {
    await record(...actions());
    expect(await simulate(RECORDED)).toEqual({
      judged: 10,
      differ: 0,
      skipped: 0,
      differences: [],
      truncated: false,
    });
  });

  test.each([
    {
      why: 'a deny in front',
      change: (text: string) => text.replace('"allow:*"', '"deny:Bash(git *)", "allow:*"'),
      differ: ['git log: allow → deny RuleDenied'],
    },
    {
      why: 'a rule that is gone',
      change: (text: string) => text.replace('"deny:Bash(rm *)", ', ''),
      // What cannot be read might have been `rm`: without the rule there is no doubt left.
      differ: ['curl $x: ask human → allow', 'rm -rf /: deny RuleDenied → allow'],
    },
    {
      why: 'a host that is named',
      change: (text: string) => text.replace('rules: [', 'rules: [{ host: news.example, action: allow }, '),
      differ: ['GET news.example/x: ask human → allow'],
    },
    {
      why: 'a network that closes',
      change: (text: string) => text.replace('network: {', 'network: { default: deny,'),
      differ: ['GET news.example/x: ask human → deny DomainNotAllowed'],
    },
    {
      why: 'exceptions that are gone',
      change: (text: string) => text.replace(/, exceptions: \[.*?\]/, ''),
      differ: ['POST api.github.com/repos/acme/app/issues: allow → ask human'],
    },
    {
      why: 'a user who lost the role',
      change: (text: string) => text.replace('"agent:*", "tool:*"', '"agent:*", "tool:http", "tool:mcp:*"'),
      differ: [
        'ls: allow → deny NotPermitted',
        'git log: allow → deny NotPermitted',
        `${CWD}/a: allow → deny NotPermitted`,
        'curl $x: ask human → deny NotPermitted',
        'rm -rf /: deny RuleDenied → deny NotPermitted',
      ],
    },
    {
      why: 'a tool that is hidden',
      change: (text: string) => text.replace('dev: {', 'dev: { disallowed_tools: ["mcp:*"],'),
      differ: ['github/create_issue: ask human → deny ToolExplicitlyDenied'],
    },
  ])('only the decisions that the change is about differ: $why', async ({ change, differ }) => {
    await record(...actions());
    const { differences, judged } = await simulate(change(RECORDED));
    expect(judged).toBe(10);
    expect(differences.map(({ what, was, would_be: would }) => `${what}: ${was} → ${would}`)).toEqual(differ);
  });

  test('a difference says when, who, what, and by which rule', async () => {
    const action = bash('git log', { id: 'act_log' });
    await record(action);
    const { differences } = await simulate(RECORDED.replace('"allow:*"', '"ask:Bash(git *)", "allow:*"'));
    expect(differences).toEqual([
      {
        event: expect.stringMatching(/^evt_/),
        at: new Date(gate.clock.now()).toISOString(),
        action_id: 'act_log',
        agent: 'dev',
        tool: 'Bash',
        what: 'git log',
        was: 'allow',
        would_be: 'ask review',
        reason: 'rule `ask:Bash(git *)` wants a question for this',
      },
    ]);
  });

  test('what a grant answered is compared by what the layers said', async () => {
    const action = http(
      'POST api.github.com/repos/evil/app/issues',
      {},
      { id: 'act_grant', fingerprint: 'g' },
    );
    await gate.grant({ covers: { kind: 'fingerprint', fingerprint: 'g' } });
    expect(await gate.gate.admit(action)).toMatchObject({ kind: 'allow', by: 'grant' });
    expect((await simulate(RECORDED)).differ).toBe(0);
  });

  test('only the asked tenant and time are replayed', async () => {
    await gate.gate.admit(bash('rm x', { id: id() }));
    gate.clock.advance(60_000);
    const since = gate.clock.now();
    await gate.gate.admit(bash('rm y', { id: id() }));
    await gate.gate.admit(bash('rm z', { id: id(), actor: { tenant: 'other' } }));
    expect((await simulate(RECORDED)).judged).toBe(3);
    expect((await simulate(RECORDED, { since })).judged).toBe(2);
    expect((await simulate(RECORDED, { tenant: 'other' })).judged).toBe(1);
  });

  test('a tenant that the tried config does not have may do nothing', async () => {
    await gate.gate.admit(bash('ls', { id: id(), effect: 'write', actor: { tenant: 'other' } }));
    const { differences } = await simulate(RECORDED.replace(/^ {2}other:.*\n/m, ''));
    expect(differences).toMatchObject([{ was: 'allow', would_be: 'deny NotPermitted' }]);
  });

  test('a tried config that is not valid is refused before anything is replayed', async () => {
    await expect(simulate(RECORDED.replace('allow:*"', 'alow:*"'))).rejects.toMatchObject({
      code: 'ConfigInvalid',
    });
  });

  test('a read that was over soon is replayed from the one event that it has, and its outcome alone is none', async () => {
    const read = http('GET api.github.com/user', {}, { id: id() });
    const outcome = {
      tenant: 'default',
      type: 'ProxyEvent::RequestAllowed',
      actor: { kind: 'agent' },
    } as const;
    const end = { ...outcome, action_id: read.id, data: { verdict: 'allow', status: 200 } };
    const decision = await gate.gate.decide(read, { hasEnd: true });
    if (decision.verdict === undefined) throw new Error('no decision');
    decision.held?.settle(end);
    gate.trail.note({ ...end, action_id: id() });
    await gate.trail.drain();
    expect((await gate.eventsOf(read)).map(({ type }) => type)).toEqual(['ProxyEvent::RequestAllowed']);
    expect(await simulate(RECORDED.replace('"allow:*"', '"deny:http", "allow:*"'))).toMatchObject({
      judged: 1,
      skipped: 0,
      differences: [{ action_id: read.id, was: 'allow', would_be: 'deny RuleDenied' }],
    });
  });

  test('a decision that another version wrote is counted, not guessed', () => {
    const simulation = new Simulation(policiesOf(RECORDED));
    const event: AuditEvent = {
      seq: 1,
      id: 'evt_1',
      at: '2026-01-01T00:00:00.000Z',
      tenant: 'default',
      type: 'ActionEvent::Judged',
      actor: { kind: 'gateway' },
      data: { verdict: 'allow' },
    };
    expect(simulation.replay(event)).toBeUndefined();
    expect(simulation.replay({ ...event, type: 'SessionEvent::Opened' })).toBeUndefined();
    expect(simulation.summary).toEqual({ judged: 0, differ: 0, skipped: 1 });
  });
});
