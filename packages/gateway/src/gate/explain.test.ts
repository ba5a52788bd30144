import type { Action } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { explainJudgement, selectorFor } from './explain.ts';
import { bash, CWD, fact, file, http, judged, mcp, policyOf, snapshotOf } from './gate.fixture.ts';
import { judge } from './judge.ts';

const explain = (config: object, action: Action) =>
  explainJudgement(judge(action, snapshotOf(policyOf(config))), action);

describe('explainJudgement', () => {
  test('names the rule that decided and its place', () => {
    const explanation = explain({ permissions: ['deny:Bash(git push *)'] }, bash('git push origin main'));
    expect(explanation).toMatchObject({ outcome: 'deny', violation: 'RuleDenied' });
    expect(explanation.layers.at(-1)).toMatchObject({
      layer: 'rules',
      says: 'deny',
      rule: 'deny:Bash(git push *)',
      at: { file: 'sallyport.yaml#permissions.0', line: 1, column: 1 },
    });
    expect(explanation.change).toEqual([
      'change or move `deny:Bash(git push *)`; no other rule outweighs a deny',
    ]);
  });

  test('gives every layer that was asked, silent ones too', () => {
    const { layers } = explain({ permissions: ['allow:*'] }, bash('ls'));
    expect(layers.map(({ layer, says }) => `${layer} ${says}`)).toEqual([
      'identity nothing',
      'visibility nothing',
      'level nothing',
      'rate nothing',
      'boundary nothing',
      'rules allow',
      'autonomy nothing',
      'mode nothing',
    ]);
  });

  test('an ask lists every change that is needed for another answer', () => {
    const action = http('POST x.example/a');
    expect(explain({}, action)).toMatchObject({
      outcome: 'ask',
      strength: 'human',
      change: [
        'add `allow:http(POST x.example/a)` to `agents.dev.permissions`',
        'name the host: add `{ host: x.example, action: allow }` to `network.rules`',
        'add `http(POST x.example/a)` to `tenants.default.exceptions`, in mode `cautious`',
      ],
    });
  });

  test('the changes that it names do change the answer', () => {
    const action = http('POST x.example/a');
    const config = {
      agents: { dev: { permissions: [`allow:${selectorFor(action)}`] } },
      network: { rules: [{ host: 'x.example', action: 'allow' }] },
      tenants: { default: { exceptions: [selectorFor(action)] } },
    };
    expect(judged(config, action)).toBe('allow');
  });

  test('says so when nothing in the policy can answer', () => {
    const repo = { area: 'contents', refs: [{ ref: 'refs/heads/main', change: 'force' }] } as const;
    const push = http('POST github.com/a/b/git-receive-pack', { repo });
    const { change } = explain({ permissions: ['allow:*'], network: { default: 'allow' } }, push);
    expect(change).toEqual(['a person answers this each time; no rule, exception or grant does']);
  });

  test.each([
    { action: bash('git log --oneline'), selector: 'Bash(git log --oneline)' },
    { action: bash('echo *'), selector: 'Bash(echo \\*)' },
    { action: bash('a ; b'), selector: 'Bash' },
    { action: bash([fact('x $y', { unknown: 'z' })]), selector: 'Bash' },
    { action: file('Write', `${CWD}/a b`), selector: `Write(/${CWD}/a b)` },
    { action: mcp('github', 'get_me'), selector: 'mcp:github/get_me' },
  ])('the narrowest selector of $selector is about the action', ({ action, selector }) => {
    expect(selectorFor(action)).toBe(selector);
    expect(judged({ permissions: [`deny:${selector}`] }, action)).toBe('deny RuleDenied');
  });
});
