import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compileRbac, type RbacPolicy, type Rights } from './rbac.ts';
import type { ToolUse } from './role-rights.ts';

const policy = (over: Partial<RbacPolicy> = {}): RbacPolicy => ({
  roles: {
    owner: { allow: ['agent:*', 'tool:*', 'approve:*'] },
    viewer: { allow: ['agent:helper', 'tool:*'], deny: ['tool:Bash'] },
    git: { allow: ['agent:helper', 'tool:Bash(git *)', 'tool:mcp:github/*', 'approve:vcs'] },
    careful: { allow: [], deny: ['tool:Bash(git push*)', 'approve:deploy', 'agent:root-*'] },
    deployer: { allow: ['approve:deploy:staging', 'approve:exec_cmd'] },
  },
  users: {
    ana: { roles: ['owner'] },
    vic: { roles: ['viewer'] },
    gil: { roles: ['git'] },
    cat: { roles: ['owner', 'careful'] },
    dan: { roles: ['deployer'] },
    tom: { roles: ['owner', 'misspelt'] },
    nob: { roles: [] },
  },
  ...over,
});

/** A command whose text is known: a pattern with a star at its end matches by its beginning. */
const use = (tool: string, text = ''): ToolUse => ({
  tool,
  matches: (pattern) => (pattern.endsWith('*') ? text.startsWith(pattern.slice(0, -1)) : text === pattern),
});
const unknowable: ToolUse = { tool: 'Bash', matches: (_pattern, as) => as === 'deny' };

const rightsOf = (user: string | undefined, chain: readonly string[] = []): Rights =>
  compileRbac(policy()).rightsOf({ user, chain });

describe('rights of a user', () => {
  test.each([
    { user: 'ana', tool: use('Bash', 'rm -rf /'), may: true, why: '`tool:*` is every tool' },
    { user: 'vic', tool: use('Bash', 'ls'), may: false, why: 'deny beats allow' },
    { user: 'vic', tool: use('Read'), may: true, why: 'what is not denied stays' },
    { user: 'vic', tool: use('bash'), may: true, why: 'names are exact, case included' },
    { user: 'gil', tool: use('Bash', 'git status'), may: true, why: 'the pattern covers it' },
    { user: 'gil', tool: use('Bash', 'rm x'), may: false, why: 'the pattern does not cover it' },
    { user: 'gil', tool: unknowable, may: false, why: 'what cannot be known matches no allow' },
    { user: 'gil', tool: use('Read'), may: false, why: 'nothing names it' },
    { user: 'gil', tool: use('mcp:github/create_issue'), may: true, why: 'a star at the end' },
    { user: 'gil', tool: use('mcp__github__create_issue'), may: true, why: 'the other spelling' },
    { user: 'gil', tool: use('mcp:githubx/create_issue'), may: false, why: 'another server' },
    { user: 'cat', tool: use('Bash', 'git push -f'), may: false, why: 'a denied pattern of another role' },
    { user: 'cat', tool: use('Bash', 'git status'), may: true, why: 'only the pattern is denied' },
    { user: 'cat', tool: unknowable, may: false, why: 'what cannot be known matches every deny' },
    { user: 'dan', tool: use('Read'), may: false, why: 'approving is not acting' },
    { user: 'nob', tool: use('Read'), may: false, why: 'no roles, no rights' },
    { user: 'eve', tool: use('Read'), may: false, why: 'an unknown user may do nothing' },
    { user: undefined, tool: use('Read'), may: false, why: 'no user may do nothing' },
    { user: 'constructor', tool: use('Read'), may: false, why: 'a name that every object has' },
    { user: '__proto__', tool: use('Read'), may: false, why: 'a name that every object has' },
    { user: 'tom', tool: use('Read'), may: false, why: 'a role that is not there may have denied it' },
  ])('$user, $tool.tool: $may ($why)', ({ user, tool, may }) => {
    expect(rightsOf(user).mayUseTool(tool)).toBe(may);
  });

  test.each([
    { user: 'ana', type: 'deploy:production', may: true, why: '`approve:*`' },
    { user: 'gil', type: 'vcs:push', may: true, why: 'the category covers its types' },
    { user: 'gil', type: 'vcs', may: true, why: 'the category itself' },
    { user: 'gil', type: 'vcsx:push', may: false, why: 'another category that begins alike' },
    { user: 'gil', type: 'deploy:staging', may: false, why: 'another category' },
    { user: 'dan', type: 'deploy:staging', may: true, why: 'exactly this type' },
    { user: 'dan', type: 'deploy:production', may: false, why: 'not its sibling' },
    { user: 'dan', type: 'exec_cmd', may: true, why: 'a type without category' },
    { user: 'cat', type: 'deploy:staging', may: false, why: 'a denied category beats `approve:*`' },
    { user: 'cat', type: 'vcs:push', may: true, why: 'only that category is denied' },
    { user: 'vic', type: 'vcs:push', may: false, why: 'nothing allows it' },
    { user: 'eve', type: 'vcs:push', may: false, why: 'unknown user' },
  ])('$user approves $type: $may ($why)', ({ user, type, may }) => {
    expect(rightsOf(user).mayApprove(type)).toBe(may);
  });

  test.each([
    { role: { allow: ['agent:*', 'tool:*'] }, may: true, why: 'everything' },
    { role: { allow: ['agent:*', 'tool:Bash'] }, may: true, why: 'the tool' },
    { role: { allow: ['agent:*', 'tool:Bash(git *)'] }, may: true, why: 'some uses of it' },
    { role: { allow: ['agent:*', 'tool:*'], deny: ['tool:Bash'] }, may: false, why: 'denied' },
    { role: { allow: ['agent:*', 'tool:*'], deny: ['tool:Bash(rm *)'] }, may: true, why: 'some uses denied' },
    { role: { allow: ['agent:*', 'tool:Read'] }, may: false, why: 'another tool' },
    { role: { allow: ['agent:*'] }, may: false, why: 'no tool' },
  ])('[TO-1] a tool may be listed where the roles reach any use of it: $why', ({ role, may }) => {
    const rbac = compileRbac(policy({ roles: { x: role }, users: { ana: { roles: ['x'] } } }));
    expect(rbac.rightsOf({ user: 'ana', chain: ['helper'] }).mayUseSomehow('Bash')).toBe(may);
  });

  test('a role named like a member of every object is no role', () => {
    const rbac = compileRbac(policy({ users: { ana: { roles: ['constructor'] } } }));
    expect(rbac.rightsOf({ user: 'ana', chain: [] }).mayUseAgent('helper')).toBe(false);
  });

  test('a selector with a typo is an error, not a right that quietly vanishes', () => {
    const typo = policy({
      roles: { owner: { allow: ['agent:*'], deny: ['tol:Bash'] } },
      users: {
        ana: { roles: ['owner'] },
      },
    });
    expect(() => compileRbac(typo)).toThrow(expect.objectContaining({ code: 'ConfigInvalid' }));
  });
});

describe('[ID-5] rights along a chain of agents', () => {
  test.each([
    { user: 'ana', chain: ['main', 'engineer', 'researcher'], may: true, why: 'may use each' },
    { user: 'gil', chain: ['helper'], may: true, why: 'may use it' },
    { user: 'gil', chain: ['helper', 'researcher'], may: false, why: 'not the last' },
    { user: 'gil', chain: ['main', 'helper'], may: false, why: 'not the first' },
    { user: 'cat', chain: ['main', 'root-shell'], may: false, why: 'one is denied' },
    { user: 'eve', chain: ['helper'], may: false, why: 'unknown user' },
  ])('$user through $chain: $may ($why)', ({ user, chain, may }) => {
    expect(rightsOf(user, chain).mayUseTool(use('Bash', 'git status'))).toBe(may);
  });

  const AGENTS = ['main', 'helper', 'engineer', 'root-shell'];
  const SELECTORS = [
    ...AGENTS.map((agent) => `agent:${agent}`),
    ...['agent:*', 'agent:root-*', 'tool:*', 'tool:Bash', 'tool:Bash(git *)', 'tool:Read', 'approve:*'],
    ...['approve:vcs', 'approve:vcs:push', 'approve:deploy:staging'],
  ];
  const selectors = fc.array(fc.constantFrom(...SELECTORS), { maxLength: 6 });
  const policies = fc.record({
    roles: fc.record({
      a: fc.record({ allow: selectors, deny: selectors }),
      b: fc.record({ allow: selectors, deny: selectors }),
    }),
    users: fc.record({ ana: fc.record({ roles: fc.subarray(['a', 'b', 'c']) }) }),
  });
  const QUESTIONS: readonly ((rights: Rights) => boolean)[] = [
    ...AGENTS.map((agent) => (rights: Rights) => rights.mayUseAgent(agent)),
    ...[use('Bash', 'git status'), use('Bash', 'rm x'), use('Read'), unknowable].map(
      (tool) => (rights: Rights) => rights.mayUseTool(tool),
    ),
    ...['vcs:push', 'vcs:commit', 'deploy:staging', 'exec_cmd'].map(
      (type) => (rights: Rights) => rights.mayApprove(type),
    ),
  ];

  test('only shrink: one more agent never allows what the shorter chain did not', () => {
    let grantedAfterDelegation = 0;
    fc.assert(
      fc.property(
        policies,
        fc.array(fc.constantFrom(...AGENTS), { maxLength: 4 }),
        fc.constantFrom(...AGENTS),
        (randomPolicy, chain, next) => {
          const rbac = compileRbac(randomPolicy);
          const before = rbac.rightsOf({ user: 'ana', chain });
          const after = rbac.rightsOf({ user: 'ana', chain: [...chain, next] });
          for (const ask of QUESTIONS) {
            if (!ask(after)) continue;
            grantedAfterDelegation += 1;
            expect(ask(before)).toBe(true);
          }
        },
      ),
      { numRuns: rounds(2_000) },
    );
    // If nothing was ever allowed after delegation, the property would hold for nothing.
    expect(grantedAfterDelegation).toBeGreaterThan(rounds(100));
  });
});
