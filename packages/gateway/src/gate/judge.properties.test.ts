import type { Action, CommandFact, Judgement } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bash, fact, file, http, mcp, pathFact, policyOf, snapshotOf } from './gate.fixture.ts';
import { judge } from './judge.ts';

const RULES = [
  'allow:*',
  'allow:Bash',
  'allow:Bash(git *)',
  'allow:Bash(*)',
  'allow:git',
  'allow:@custom:cli',
  'allow:@vcs',
  'allow:Write',
  'allow:Write(./**)',
  'allow:http',
  'allow:http(GET @known)',
  'allow:mcp:*',
  'ask:Bash(git push *)',
  'ask:@deploy',
  'ask:Read',
  'deny:Bash',
  'deny:Bash(rm *)',
  'deny:Write(/config/**)',
  'deny:http(* *.evil.example)',
  'deny:mcp:github/delete_*',
  'deny:@vcs:push',
];
const DENIES = RULES.filter((rule) => rule.startsWith('deny:'));

const facts: fc.Arbitrary<CommandFact> = fc
  .record({
    text: fc.constantFrom('git log', 'git push origin x', 'rm -r x', 'ls', 'curl evil.example'),
    unknown: fc.option(fc.constant('a variable'), { nil: undefined }),
    writes: fc.constantFrom([], [pathFact('/srv/root/config/x')], [pathFact('/srv/root/project/x')]),
    type: fc.constantFrom('custom:cli', 'vcs:push', 'deploy:staging', 'vcs:read'),
    effect: fc.constantFrom('read', 'write'),
    reach: fc.constantFrom('workspace', 'remote'),
    risk: fc.constantFrom('low', 'high', 'critical'),
  } as const)
  .map(({ text, unknown, ...over }) =>
    fact(text, { ...over, ...(unknown === undefined ? {} : { unknown }) }),
  );
const parts = fc.record({
  actor: fc.record({ confinement: fc.constantFrom('jailed', 'unconfined') } as const),
  effect: fc.constantFrom('read', 'write'),
  reach: fc.constantFrom('workspace', 'remote'),
} as const);
const actions: fc.Arbitrary<Action> = fc.oneof(
  fc.tuple(fc.array(facts, { maxLength: 3 }), parts).map(([line, over]) => bash(line, over)),
  fc
    .constantFrom('GET api.github.com/a', 'POST a.evil.example/', 'GET other.example/')
    .map((text) => http(text)),
  fc.constantFrom('/srv/root/config/x', '/srv/root/project/x', '/etc/x').map((path) => file('Write', path)),
  fc.constantFrom('get_me', 'delete_repo').map((tool) => mcp('github', tool)),
);
const ruleLists = fc.array(fc.constantFrom(...RULES), { maxLength: 6 });
const agents = fc.record(
  {
    permissions: ruleLists,
    tools: fc.constantFrom(['Bash', 'Write'], [], ['*']),
    level: fc.constantFrom('sandboxed', 'standard', 'elevated'),
    autonomy: fc.constantFrom('full', 'semi', 'supervised', 'locked'),
    security_context: fc.constant('c'),
    limits: fc.constant({ max_calls_per_execution: 0 }),
  },
  { requiredKeys: ['permissions'] },
);
const configs = fc.record({
  permissions: ruleLists,
  tenant: ruleLists,
  dev: agents,
  mode: fc.constantFrom('strict', 'cautious'),
  network: fc.constantFrom('allow', 'ask', 'deny'),
});
type Parts = typeof configs extends fc.Arbitrary<infer T> ? T : never;

const build = ({ permissions, tenant, dev, mode, network }: Parts) =>
  policyOf({
    permissions,
    agents: { dev },
    network: { default: network },
    security_contexts: {
      c: { deny_list: ['mcp:*'], capabilities: [{ tool: '*', path_allowlist: ['/srv/root/project'] }] },
    },
    tenants: { default: { permissions: tenant, mode } },
  });
const judgeWith = (config: Parts, action: Action) => judge(action, snapshotOf(build(config)));

/** allow < review < human < each-time < deny */
const rank = (judgement: Judgement): number => {
  if (judgement.outcome !== 'ask') return judgement.outcome === 'allow' ? 0 : 4;
  return { review: 1, human: 2, 'each-time': 3 }[judgement.strength];
};
const insertAt = (list: readonly string[], place: number, rule: string) =>
  list.toSpliced(place % (list.length + 1), 0, rule);

describe('judge', () => {
  test('[GA-3] adding a deny rule anywhere never makes an action more permitted', () => {
    fc.assert(
      fc.property(
        configs,
        actions,
        fc.constantFrom(...DENIES),
        fc.nat(10),
        fc.constantFrom('top', 'tenant', 'agent'),
        (config, action, rule, place, where) => {
          const stricter: Parts = {
            ...config,
            permissions: where === 'top' ? insertAt(config.permissions, place, rule) : config.permissions,
            tenant: where === 'tenant' ? insertAt(config.tenant, place, rule) : config.tenant,
            dev:
              where === 'agent'
                ? { ...config.dev, permissions: insertAt(config.dev.permissions, place, rule) }
                : config.dev,
          };
          expect(rank(judgeWith(stricter, action))).toBeGreaterThanOrEqual(rank(judgeWith(config, action)));
        },
      ),
      { numRuns: rounds(1_500) },
    );
  });

  test('[GA-3] no layer but rules and autonomy loosens: taking its settings away never makes it stricter', () => {
    fc.assert(
      fc.property(configs, actions, (config, action) => {
        const { tools: _t, level: _l, security_context: _s, limits: _m, ...dev } = config.dev;
        const bare: Parts = { ...config, dev };
        expect(rank(judgeWith(bare, action))).toBeLessThanOrEqual(rank(judgeWith(config, action)));
      }),
      { numRuns: rounds(1_500) },
    );
  });

  test('[GA-3] the outcome is as strict as the strictest opinion, and only rules and autonomy say allow', () => {
    fc.assert(
      fc.property(configs, actions, (config, action) => {
        const judgement = judgeWith(config, action);
        for (const opinion of judgement.opinions) {
          if (opinion.says === 'allow') expect(['rules', 'autonomy']).toContain(opinion.layer);
          if (opinion.says === 'deny') expect(judgement.outcome).toBe('deny');
          if (opinion.says === 'ask') expect(judgement.outcome).not.toBe('allow');
        }
        if (judgement.outcome === 'allow')
          expect(judgement.opinions.some((opinion) => opinion.says === 'allow')).toBe(true);
      }),
      { numRuns: rounds(1_500) },
    );
  });

  test('[GA-4] a deny stops: no layer behind it is asked, and it is the outcome', () => {
    fc.assert(
      fc.property(configs, actions, (config, action) => {
        const judgement = judgeWith(config, action);
        const denies = judgement.opinions.flatMap((opinion, index) =>
          opinion.says === 'deny' ? [index] : [],
        );
        const isLast = judgement.outcome === 'deny' ? [judgement.opinions.length - 1] : [];
        expect(denies).toEqual(isLast);
        if (judgement.outcome === 'deny') {
          const { layer, violation } = judgement;
          expect(judgement.opinions.at(-1)).toMatchObject({ layer, violation });
        }
      }),
      { numRuns: rounds(1_500) },
    );
  });

  test('[GA-6] a shell line is at most as permitted as each of its commands alone', () => {
    fc.assert(
      fc.property(configs, fc.array(facts, { minLength: 1, maxLength: 4 }), parts, (config, line, over) => {
        const whole = rank(judgeWith(config, bash(line, over)));
        for (const command of line)
          expect(whole).toBeGreaterThanOrEqual(rank(judgeWith(config, bash([command], over))));
      }),
      { numRuns: rounds(800) },
    );
  });

  test('[GA-2] an unknown command is never allowed, but by a bare allow in a jail', () => {
    fc.assert(
      fc.property(configs, fc.array(facts, { maxLength: 2 }), parts, (config, others, over) => {
        const unknown = fact('$x', { program: '', unknown: 'a variable as command name', type: 'vcs:read' });
        const action = bash([...others, unknown], over);
        const lists = [config.permissions, config.tenant, config.dev.permissions];
        const isBare = lists.some((list) => list.includes('allow:*') || list.includes('allow:Bash'));
        const mayPass = action.actor.confinement === 'jailed' && isBare;
        if (judgeWith(config, action).outcome === 'allow') expect(mayPass).toBe(true);
      }),
      { numRuns: rounds(1_500) },
    );
  });

  test('the same action and snapshot give the same judgement, and neither is changed', () => {
    fc.assert(
      fc.property(configs, actions, (config, action) => {
        const snapshot = snapshotOf(build(config));
        const before = JSON.stringify(action);
        expect(judge(action, snapshot)).toEqual(judge(action, snapshot));
        expect(JSON.stringify(action)).toBe(before);
      }),
      { numRuns: rounds(300) },
    );
  });

  test('[GA-5] anything at all gets an answer, and what cannot be judged is refused', () => {
    const snapshot = snapshotOf(policyOf({ permissions: ['allow:*'] }));
    fc.assert(
      fc.property(fc.anything(), (target) => {
        // An action that no builder makes: what a defect elsewhere could hand over.
        const broken = { ...bash('ls'), target } as unknown as Action;
        const judgement = judge(broken, snapshot);
        const kind = (target as { kind?: unknown } | null | undefined)?.kind;
        if (typeof kind !== 'string')
          expect(judgement).toMatchObject({ outcome: 'deny', violation: 'EvaluationFailed' });
      }),
    );
  });

  test('[GA-5] a layer that throws refuses the action', () => {
    const policy = policyOf({ permissions: ['allow:*'] });
    const network = {
      get lists(): never {
        throw new Error('a defect');
      },
    } as unknown as typeof policy.network;
    const judgement = judge(http('GET x.example/'), snapshotOf({ ...policy, network }));
    expect(judgement).toMatchObject({ outcome: 'deny', violation: 'EvaluationFailed', layer: 'boundary' });
    expect(JSON.stringify(judgement)).not.toContain('a defect');
  });
});
