import type { CommandFact, HttpTarget, Target } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { operationsOf } from './index.ts';

const page: HttpTarget = {
  kind: 'http',
  scheme: 'https',
  host: 'api.example',
  port: 443,
  method: 'POST',
  path: '/v1/users/42/keys',
  queryKeys: [],
};
const AT = 'api.example:443';
const request = (more: Partial<HttpTarget>): Target => ({ ...page, ...more });

const fact = (text: string, more: Partial<CommandFact> = {}): CommandFact => ({
  program: text.split(' ')[0] ?? '',
  argv: text.split(' '),
  text,
  effect: 'write',
  reach: 'remote',
  type: 'custom:cli',
  risk: 'high',
  writes: [],
  ...more,
});
const line = (...commands: readonly CommandFact[]): Target => ({
  kind: 'command',
  form: 'shell',
  cwd: '/repo',
  commands,
});

const doneBy = (target: Target, call: { effect?: 'read' | 'write'; tool?: string; input?: object } = {}) =>
  operationsOf({ target, tool: 'Bash', effect: 'write', input: {}, ...call } as Parameters<
    typeof operationsOf
  >[0]);

describe('requests', () => {
  test.each<[string, Partial<HttpTarget>, 'read' | 'write', object]>([
    ['a read anywhere', { method: 'GET' }, 'read', { operation: 'read', object: AT }],
    [
      'a write anywhere: method and shape; the fixed beginning of the path',
      {},
      'write',
      { operation: 'POST /v1/users/{}/keys', object: `${AT}/v1/users` },
    ],
    [
      "a provider's operation and object",
      { provider: 'github', operation: 'issues/create-comment', object: 'github.com/acme/app' },
      'write',
      { operation: 'github:issues/create-comment', object: 'github.com/acme/app' },
    ],
    [
      'a known operation without an object: the path says which',
      { provider: 'vercel', operation: 'projects/delete' },
      'write',
      { operation: 'vercel:projects/delete', object: `${AT}/v1/users/42/keys` },
    ],
    [
      'branches are part of the object',
      {
        provider: 'github',
        operation: 'push',
        object: 'github.com/acme/app',
        repo: {
          repository: 'github.com/acme/app',
          area: 'contents',
          refs: [
            { ref: 'refs/heads/b', change: 'update' },
            { ref: 'refs/heads/a', change: 'update' },
          ],
        },
      },
      'write',
      { operation: 'github:push', object: 'github.com/acme/app a b' },
    ],
    [
      'what a provider does not list is told by its shape, as unlisted',
      {
        provider: 'github',
        operation: 'unknown: POST /v1/users/{}/keys',
        object: 'github.com/acme/app',
      },
      'write',
      { operation: 'POST /v1/users/{}/keys', object: 'github.com/acme/app', unlisted: true },
    ],
    [
      'a read that carries a body',
      { method: 'GET', operation: 'unknown: a GET with a body' },
      'write',
      { operation: 'a GET with a body: GET /v1/users/{}/keys', object: `${AT}/v1/users` },
    ],
  ])('%s', (_what, more, effect, expected) => {
    expect(doneBy(request(more), { effect })).toEqual([{ ...expected, at: AT }]);
  });

  test.each([
    ['unknown: a method override', 'another method is run than the one that is seen'],
    ['unknown: ambiguous path', 'servers read it in different ways'],
    ['unknown: an unknown method', 'nobody knows what it does'],
    ['unknown: POST /v1/other', 'the shape is not that of this path'],
  ])('has no name: %s', (operation, _why) => {
    expect(doneBy(request({ provider: 'github', operation }))).toEqual([]);
  });

  test('the same words at another port are told apart', () => {
    const [one] = doneBy(request({}));
    const [other] = doneBy(request({ port: 8443 }));
    expect(one?.at).not.toBe(other?.at);
  });
});

describe('commands', () => {
  test.each<[string, Target, object]>([
    [
      'what its parser found, in the folder that it is about',
      line(fact('npm run build', { operation: 'run', object: 'build' })),
      { operation: 'npm run', object: 'build in /repo' },
    ],
    [
      'all of its words, where the parser found none',
      line(fact('aws s3 rm s3://b', { operation: 's3 rm' })),
      { operation: 'aws s3 rm', object: 'aws s3 rm s3://b in /repo' },
    ],
    [
      'a program that nobody knows',
      line(fact('deploytool up', { runsCode: true })),
      { operation: 'deploytool', object: 'deploytool up in /repo', unlisted: true },
    ],
    [
      'a push: the repository and its branches',
      line(
        fact('git push origin main', {
          operation: 'push',
          repo: {
            repository: 'github.com/acme/app',
            area: 'contents',
            refs: [{ ref: 'refs/heads/main', change: 'update' }],
          },
        }),
      ),
      { operation: 'git push', object: 'github.com/acme/app main' },
    ],
    [
      'the files that it writes',
      line(fact('sort a', { writes: [{ given: 'b c', real: '/repo/b c', access: 'write' }] })),
      { operation: 'sort', object: 'sort a in /repo > "/repo/b c"' },
    ],
    [
      'what it is run by',
      line(fact('rm x', { via: ['sudo -u bob rm x'] })),
      { operation: 'rm', object: 'rm x by "sudo -u bob rm x" in /repo' },
    ],
  ])('%s', (_what, target, expected) => {
    expect(doneBy(target)).toEqual([expected]);
  });

  test('one word with a blank is not two words', () => {
    const two = fact('rm a b');
    expect(doneBy(line({ ...two, argv: ['rm', 'a b'] }))).not.toEqual(doneBy(line(two)));
  });

  test('in their order', () => {
    const [cd, make] = [fact('cd x'), fact('make')];
    expect(doneBy(line(cd, make))).not.toEqual(doneBy(line(make, cd)));
  });

  test.each<[string, Target]>([
    ['a line that cannot be read', { ...line(fact('a')), unknown: 'syntax' } as Target],
    ['no command at all', line()],
    ['a word that is known when it runs', line(fact('ls'), fact('rm $X', { unknown: '`$X` is not known' }))],
  ])('only the whole can be named: %s', (_what, target) => {
    expect(doneBy(target)).toEqual([]);
  });
});

describe('tools', () => {
  test.each<[string, Target, string, object]>([
    [
      'a file',
      { kind: 'path', cwd: '/repo', paths: [{ given: 'a', real: '/repo/a', access: 'write' }] },
      'Write',
      { operation: 'Write', object: '/repo/a' },
    ],
    [
      'a tool of a server, which nobody has on a list',
      { kind: 'mcp', server: 'tracker', tool: 'close' },
      'mcp:tracker/close',
      { operation: 'mcp:tracker/close', object: 'tracker', unlisted: true },
    ],
    [
      'mail',
      { kind: 'address', account: 'me@a.example', addresses: ['you@b.example'] },
      'email.send',
      { operation: 'email.send', object: 'me@a.example you@b.example' },
    ],
    ['a known tool', { kind: 'plain' }, 'TodoWrite', { operation: 'TodoWrite', object: '' }],
    ['any other', { kind: 'plain' }, 'Frobnicate', { operation: 'Frobnicate', object: '', unlisted: true }],
  ])('%s', (_what, target, tool, expected) => {
    expect(doneBy(target, { tool })).toEqual([expected]);
  });

  test('arguments that a config names are part of it', () => {
    const file: Target = {
      kind: 'path',
      cwd: '/',
      paths: [{ given: '/a', real: '/a', access: 'write' }],
    };
    const target: Target = {
      kind: 'mcp',
      server: 'tracker',
      tool: 'close',
      named: [{ arg: 'project', kind: 'path', target: file }],
    };
    const input = { project: 'app "x"', text: 'any' };
    expect(doneBy(target, { tool: 'mcp:tracker/close', input }).map(({ object }) => object)).toEqual([
      'tracker',
      '"app \\"x\\""',
    ]);
  });
});
