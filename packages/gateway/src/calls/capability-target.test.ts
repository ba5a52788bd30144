import { mkdirSync, realpathSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { Actor, JsonObject } from '@sallyport/protocol';
import { tempDir } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { loadActionBuilders } from '../actions/index.ts';
import { policyOf, short, snapshotOf } from '../gate/gate.fixture.ts';
import { argumentTargets, judge } from '../gate/index.ts';

const createBuilder = await loadActionBuilders();
const OPEN = { permissions: ['allow:*'], network: { default: 'allow' } };
const TOOL = 'mcp:box/do';

/** What the gate says of a call, built and judged under capabilities as a gateway does. */
function says(capabilities: object | readonly object[], input: JsonObject, tool = TOOL, more: object = {}) {
  const policy = policyOf(
    {
      ...OPEN,
      security_contexts: { c: { capabilities: [capabilities].flat() } },
      agents: { dev: { security_context: 'c' } },
      ...more,
    },
    { closedPaths: ['/home/ana/.sallyport'] },
  );
  const targetsOf = (who: Actor, name: string) => argumentTargets(policy, who, name);
  const context = { door: 'mcp', actor, cwd: '/', home: '/' } as const;
  return short(
    judge(createBuilder({ targetsOf }).tool({ tool, input, onlyReads: true }, context), snapshotOf(policy)),
  );
}
const actor: Actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  chain: ['dev'],
  confinement: 'jailed',
};
const OUTSIDE = 'deny PathOutsideBoundary';
const NO_DOMAIN = 'deny DomainNotAllowed';
const NO_COMMAND = 'deny CommandNotAllowed';

test('target.arg is the argument that the allowlists look at', () => {
  const capability = { tool: TOOL, target: { arg: 'file', kind: 'path' }, path_allowlist: ['/data'] };
  expect(says(capability, { file: '/data/x' })).toBe('allow');
  expect(says(capability, { file: '/data/x', path: '/etc/passwd' })).toBe('allow');
  expect(says(capability, { file: '/etc/passwd', path: '/data/x' })).toBe(OUTSIDE);
  for (const file of [undefined, null, '', 7, {}, [], ['/data/x', 7], ['/data/x', '/etc/x']])
    expect(says(capability, file === undefined ? { path: '/data/x' } : { file }), String(file)).toBe(OUTSIDE);
  expect(says(capability, { file: ['/data/x', '/data/y'] })).toBe('allow');
  expect(says({ tool: TOOL, path_allowlist: ['/data'] }, { file: '/data/x' })).toBe(OUTSIDE);
});

describe('target.kind says what the argument is', () => {
  const PATH = { target: { arg: 'a', kind: 'path' }, path_allowlist: ['/data'] };
  const URL_ = { target: { arg: 'a', kind: 'url' }, domain_allowlist: ['good.example'] };
  const DOMAIN = { ...URL_, target: { arg: 'a', kind: 'domain' } };
  const ACCOUNT = { target: { arg: 'a', kind: 'address' }, account_allowlist: ['Bot@x.example', 'deploy'] };
  const MAIL = { target: { arg: 'a', kind: 'address' }, domain_allowlist: ['x.example'] };
  const LINE = { target: { arg: 'a', kind: 'command' }, subcommand_allowlist: { git: ['status'] } };
  const GOES = { target: { arg: 'a', kind: 'command' }, domain_allowlist: ['good.example'] };
  test.each([
    { capability: PATH, a: '/database', expected: OUTSIDE },
    { capability: PATH, a: '/data/../etc/x', expected: 'deny PathTraversalAttempt' },
    { capability: PATH, a: 'data/x', expected: OUTSIDE },
    { capability: PATH, a: '~/x', expected: OUTSIDE },
    { capability: PATH, a: 'file:///data/x', expected: OUTSIDE },
    { capability: URL_, a: 'https://good.example/x?y=1', expected: 'allow' },
    { capability: URL_, a: 'https://GOOD.example.:8443', expected: 'allow' },
    { capability: URL_, a: 'https://evil.example/good.example', expected: NO_DOMAIN },
    { capability: URL_, a: 'https://good.example@evil.example/', expected: NO_DOMAIN },
    { capability: URL_, a: 'https://good.example\\@evil.example/', expected: NO_DOMAIN },
    { capability: URL_, a: 'https:good.example', expected: NO_DOMAIN },
    { capability: URL_, a: 'https://evil.example\t.good.example/', expected: NO_DOMAIN },
    { capability: URL_, a: 'ftp://good.example/', expected: NO_DOMAIN },
    { capability: URL_, a: 'good.example', expected: NO_DOMAIN },
    { capability: URL_, a: ['https://good.example/'], expected: NO_DOMAIN },
    { capability: DOMAIN, a: 'Good.example.', expected: 'allow' },
    { capability: DOMAIN, a: 'good.example/@evil.example', expected: NO_DOMAIN },
    { capability: DOMAIN, a: '::1', expected: NO_DOMAIN },
    { capability: ACCOUNT, a: 'bot@X.example', expected: 'allow' },
    { capability: ACCOUNT, a: 'deploy', expected: 'allow' },
    { capability: ACCOUNT, a: 'root', expected: NO_DOMAIN },
    { capability: ACCOUNT, a: ['bot@x.example', 'ceo@x.example'], expected: NO_DOMAIN },
    { capability: MAIL, a: ['a@x.example', 'b@x.example'], expected: 'allow' },
    { capability: MAIL, a: ['a@x.example', 'b@evil.example'], expected: NO_DOMAIN },
    { capability: MAIL, a: 'a@x.example, b@evil.example', expected: NO_DOMAIN },
    { capability: MAIL, a: 'deploy', expected: NO_DOMAIN },
    { capability: LINE, a: 'git status', expected: 'allow' },
    { capability: LINE, a: ['git', 'status'], expected: 'allow' },
    { capability: LINE, a: 'git status; id', expected: NO_COMMAND },
    { capability: LINE, a: ['git', 'push'], expected: 'deny SubcommandNotAllowed' },
    { capability: LINE, a: 7, expected: NO_COMMAND },
    { capability: GOES, a: 'curl https://good.example/', expected: 'allow' },
    { capability: GOES, a: 'curl https://good.example/ https://evil.example/', expected: NO_DOMAIN },
    { capability: GOES, a: 'make', expected: NO_DOMAIN },
  ])('$capability.target.kind $a: $expected', ({ capability, a, expected }) => {
    expect(says({ tool: TOOL, ...capability }, { a })).toBe(expected);
    expect(says({ tool: 'mcp:box/*', ...capability }, {})).toMatch(/^deny/);
  });

  test('none is for a tool without an address, which an absent one does not refuse', () => {
    const domain_allowlist = ['good.example'];
    expect(says({ tool: TOOL, target: { arg: 'q', kind: 'none' }, domain_allowlist }, { q: 'x' })).toBe(
      'allow',
    );
    expect(says({ tool: TOOL, target: { kind: 'none' }, domain_allowlist }, {})).toBe('allow');
    expect(says({ tool: TOOL, domain_allowlist }, { q: 'x' })).toBe(NO_DOMAIN);
    for (const tool of ['web.search', 'WebSearch'])
      for (const pattern of [tool, '*'])
        expect(says({ tool: pattern, domain_allowlist }, { query: 'x' }, tool)).toBe('allow');
    expect(says({ tool: 'web.*', domain_allowlist }, {}, 'web.fetch')).toBe(NO_DOMAIN);
    expect(says({ tool: 'web.*', domain_allowlist }, { url: 'https://good.example/' }, 'web.crawl')).toBe(
      NO_DOMAIN,
    );
    expect(says({ tool: '*', domain_allowlist }, { command: 'make' }, 'Bash')).toBe(NO_DOMAIN);
  });
});

test('a link leads where it leads', async () => {
  const dir = await tempDir();
  onTestFinished(() => dir.remove());
  const root = realpathSync(dir.path);
  mkdirSync(join(root, 'data'));
  symlinkSync('/etc', join(root, 'data/out'));
  const capability = {
    tool: TOOL,
    target: { arg: 'file', kind: 'path' },
    path_allowlist: [join(root, 'data')],
  };
  expect(says(capability, { file: join(root, 'data/in') })).toBe('allow');
  expect(says(capability, { file: join(root, 'data/out/shadow') })).toBe(OUTSIDE);
});

test('what is built in for a tool stays in force beside the argument that is named', () => {
  const capability = { tool: 'fs.*', target: { arg: 'to', kind: 'path' }, path_allowlist: ['/data'] };
  expect(says(capability, { path: '/data/x', to: '/data/y' }, 'fs.read')).toBe('allow');
  expect(says(capability, { path: '/etc/x', to: '/data/y' }, 'fs.read')).toBe(OUTSIDE);
  expect(says(capability, { path: '/data/x' }, 'fs.read')).toBe(OUTSIDE);
  expect(says(capability, { to: '/data/x' }, 'fs.made_up')).toBe('allow');
});

test('of two capabilities each looks at its own argument', () => {
  const both = ['from', 'to'].map((arg) => ({
    tool: TOOL,
    target: { arg, kind: 'path' },
    path_allowlist: [`/${arg}`],
  }));
  expect(says(both, { to: '/to/x' })).toBe('allow');
  expect(says(both, { from: '/from/x' })).toBe('allow');
  expect(says(both, { to: '/from/x', from: '/to/x' })).toBe(OUTSIDE);
  const without = { tool: TOOL, path_allowlist: ['/data'] };
  expect(says([...both, without], { to: '/data/x', from: '../etc/x' })).toBe(OUTSIDE);
});

test('what a named argument names is judged by the network and the closed folders, too', () => {
  const url = { tool: TOOL, target: { arg: 'a', kind: 'url' } };
  const line = { tool: TOOL, target: { arg: 'a', kind: 'command' } };
  const strict = { network: { default: 'deny', rules: [{ host: 'good.example', action: 'allow' }] } };
  expect(says(url, { a: 'https://good.example/' }, TOOL, strict)).toBe('allow');
  expect(says(url, { a: 'https://evil.example/' }, TOOL, strict)).toBe(NO_DOMAIN);
  expect(says(url, { a: 'http://169.254.169.254/' })).toMatch(/^deny/);
  // The jail of the agent does not hold what a server runs.
  expect(says(line, { a: 'curl https://evil.example/' }, TOOL, strict)).toBe(NO_DOMAIN);
  expect(says(line, { a: 'cat /home/ana/.sallyport/operator.token' })).toBe(OUTSIDE);
  const path = { tool: TOOL, target: { arg: 'a', kind: 'path' } };
  expect(says(path, { a: '/home/ana/.sallyport/operator.token' })).toBe(OUTSIDE);
  const rules = { permissions: [`deny:${TOOL}(//data/secret/**)`, 'allow:*'] };
  expect(says(path, { a: '/data/secret/x' }, TOOL, rules)).toBe('deny RuleDenied');
  expect(says(path, { a: '/data/x' }, TOOL, rules)).toBe('allow');
});
