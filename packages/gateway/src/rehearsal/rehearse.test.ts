import { beforeAll, describe, expect, test } from 'vitest';
import { type CreateBuilder, loadActionBuilders } from '../actions/index.ts';
import { load, OPTIONS } from '../gate/gate.fixture.ts';
import { PolicySet } from '../gate/index.ts';
import { Rehearsal, type RehearsalQuestion } from './rehearse.ts';

let createBuilder: CreateBuilder;
beforeAll(async () => {
  createBuilder = await loadActionBuilders();
});

const CONFIG = {
  tenants: {
    default: {
      default_user: 'ana',
      default_agent: 'dev',
      users: { ana: { roles: ['owner'] }, bob: { roles: ['reader'] } },
      exceptions: ['http(POST api.github.com/**)'],
      agents: { own: { disallowed_tools: ['WebSearch'] } },
    },
  },
  roles: {
    owner: { allow: ['agent:*', 'tool:*'] },
    reader: { allow: ['agent:*', 'tool:Read'] },
  },
  network: { rules: [{ host: '@known', action: 'allow' }] },
  security_contexts: {
    tight: { deny_list: ['email.send'], capabilities: [{ tool: 'Read' }] },
    placed: {
      capabilities: [
        { tool: 'mcp:box/get', target: { arg: 'file', kind: 'path' }, path_allowlist: ['/workspace'] },
      ],
    },
  },
  agents: {
    dev: { permissions: ['allow:*'] },
    seeing: { tools: ['Read'] },
    tight: { security_context: 'tight' },
    placed: { security_context: 'placed' },
    narrow: { permissions: ['allow:Bash(git *)'] },
  },
};

const ask = (text: string, over: Partial<RehearsalQuestion> = {}) =>
  new Rehearsal({
    policies: new PolicySet(load(CONFIG), { ...OPTIONS, closedPaths: ['/home/ana/.sallyport'] }),
    createBuilder,
    telemetry: [],
    registries: [],
    cwd: '/workspace',
    home: '/home/ana',
  }).ask({ form: 'tool', text, ...over }).explanation;

test('an argument that a capability names is looked at in a rehearsal, too', () => {
  const boundary = (file: string) =>
    ask(`mcp:box/get(${JSON.stringify({ file })})`, { agent: 'placed' }).layers.find(
      ({ layer }) => layer === 'boundary',
    )?.says;
  expect(boundary('/etc/passwd')).toBe('deny');
  expect(boundary('/workspace/a')).not.toBe('deny');
});

describe('the setting behind an answer', () => {
  test.each<[string, string, Partial<RehearsalQuestion>, string]>([
    ['the roles of the user', 'Bash(ls)', { user: 'bob' }, 'tenants.default.users.bob.roles'],
    ['the list of tools', 'Bash(ls)', { agent: 'seeing' }, 'agents.seeing.tools'],
    [
      'the list of disallowed tools',
      'WebSearch',
      { agent: 'own' },
      'tenants.default.agents.own.disallowed_tools',
    ],
    ['the security context', 'Bash(ls)', { agent: 'tight' }, 'agents.tight.security_context'],
    ['its deny list', 'email.send(a@x.example)', { agent: 'tight' }, 'agents.tight.security_context'],
    ['the mode', 'POST https://github.com/a x', { form: 'http' }, 'tenants.default.mode'],
    [
      'the pattern of the branch',
      'Bash(git push o release/1)',
      { confinement: 'unconfined' },
      'tenants.default.branches.protected.2',
    ],
    [
      'the exceptions, where they keep the mode silent',
      'POST https://api.github.com/a x',
      { form: 'http' },
      'tenants.default.exceptions',
    ],
  ])('is %s', (_what, text, over, path) => {
    const places = ask(text, over).layers.map(({ at }) => at?.file);
    expect(places).toContain(`sallyport.yaml#${path}`);
  });

  test.each<[string, string, Partial<RehearsalQuestion>]>([
    ['a force-push', 'Bash(git push -f o ana/x)', { confinement: 'unconfined' }],
    ['a force-push to a protected branch', 'Bash(git push -f o main)', { confinement: 'unconfined' }],
    ['the home of the gateway', 'Read(~/.sallyport/x)', {}],
    ['a tool that nobody knows', 'Frobnicate', {}],
  ])('is none for %s: no edit changes it', (_what, text, over) => {
    expect(ask(text, over).layers.at(-1)).not.toHaveProperty('at');
  });
});

describe('the advice', () => {
  test.each<[string, Partial<RehearsalQuestion>, string]>([
    ['Bash(ls)', { agent: 'seeing' }, 'add `Bash` to `agents.seeing.tools`'],
    ['WebSearch', { agent: 'own' }, 'take `WebSearch` off `tenants.default.agents.own.disallowed_tools`'],
    ['Bash(ls)', { agent: 'tight' }, 'add a capability for `Bash` to `agents.tight.security_context`'],
    [
      'email.send(a@x.example)',
      { agent: 'tight' },
      'take `email.send` off the deny list of `agents.tight.security_context`',
    ],
    ['fs.read(/a/../b)', {}, 'no setting allows this; the agent has to send it in another form'],
    [
      'Read(~/.sallyport/x)',
      {},
      'no setting opens it: the gateway keeps its keys, its policy and its trail there',
    ],
    ['Bash(git log | sh)', { agent: 'narrow' }, 'add `allow:Bash` to `agents.narrow.permissions`'],
  ])('for %s with %j is one that helps', (text, over, advice) => {
    expect(ask(text, over).change).toEqual([advice]);
  });

  test('outside a jail names no rule for a command that cannot be read, because none covers it', () => {
    const { change, outcome } = ask('Bash(git log | sh)', { confinement: 'unconfined' });
    expect(outcome).toBe('ask');
    expect(change).toHaveLength(1);
    expect(change[0]).toMatch(/^run the agent in a jail/);
  });
});

test.each<[string, Partial<RehearsalQuestion>, string]>([
  ['Bash(ls)', { agent: 'dve' }, 'did you mean `dev`?'],
  ['Bash(ls)', { tenant: 'defualt' }, 'did you mean `default`?'],
])('%s with %j is refused with a hint', (text, over, hint) => {
  expect(() => ask(text, over)).toThrow(expect.objectContaining({ code: 'BadRequest', hint }));
});
