import type { CommandFact, Target } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import {
  domainsOf,
  factsOf,
  hostsOf,
  isKnownTarget,
  lineOf,
  ownCredentialsOf,
  pathsOf,
  requestOf,
  staysHere,
} from './index.ts';

const fact = (text: string, more: Partial<CommandFact> = {}): CommandFact => ({
  program: text.split(' ')[0] ?? '',
  argv: text.split(' '),
  text,
  effect: 'read',
  reach: 'workspace',
  type: 'code:read',
  risk: 'low',
  writes: [],
  ...more,
});

const file = {
  kind: 'path',
  cwd: '/repo',
  paths: [{ given: 'a', real: '/repo/a', access: 'read' }],
} as const;
const page = {
  kind: 'http',
  scheme: 'https',
  host: 'a.example',
  port: 443,
  method: 'GET',
  path: '/x',
  queryKeys: [],
} as const;
const line: Target = {
  kind: 'command',
  form: 'shell',
  cwd: '/repo',
  commands: [
    fact('curl https://b.example', { reach: 'remote', hosts: [{ host: 'b.example', port: 443 }] }),
    fact('sort', { effect: 'write', writes: [{ given: 'o', real: '/repo/o', access: 'write' }] }),
  ],
};
const mail: Target = { kind: 'address', account: 'me@c.example', addresses: ['"a@b"@d.example'] };
const call: Target = { kind: 'mcp', server: 'github', tool: 'get_me' };
const plain: Target = { kind: 'plain' };

describe('facts of targets', () => {
  test.each<[Target, string, readonly string[], readonly string[] | undefined, boolean]>([
    [file, '/repo/a', ['/repo/a'], [], true],
    [page, 'GET a.example/x', [], ['a.example'], false],
    [line, 'curl https://b.example ; sort', ['/repo/o'], undefined, false],
    [mail, '"a@b"@d.example', [], ['d.example'], true],
    [call, 'github/get_me', [], [], true],
    [plain, '', [], [], true],
  ])('%j: a summary, paths, domains, and whether it stays here', (target, summary, paths, domains, stays) => {
    expect(factsOf(target).summary(target)).toBe(summary);
    expect(pathsOf(target).map(({ real }) => real)).toEqual(paths);
    expect(domainsOf(target)).toEqual(domains);
    expect(staysHere({ target, reach: 'remote' })).toBe(stays);
  });

  test('a request and a line are found wherever they are, and nowhere else', () => {
    expect([file, page, line, mail, call, plain].map((target) => requestOf(target) !== undefined)).toEqual([
      ...[false, true, false, false, false, false],
    ]);
    expect([file, page, line, mail, call, plain].map((target) => lineOf(target) !== undefined)).toEqual([
      ...[false, false, true, false, false, false],
    ]);
  });

  test('hosts and paths of the arguments that a config names count as well, and a call with them goes somewhere', () => {
    const named: Target = {
      ...call,
      named: [
        { arg: 'url', kind: 'url', target: page },
        { arg: 'run', kind: 'command', target: { ...line, unknown: 'too long' } },
      ],
    };
    expect(staysHere({ target: named, reach: 'workspace' })).toBe(false);
    const { named: hosts, unknown } = hostsOf({ target: named, reach: 'workspace' });
    expect(hosts.map(({ host }) => host)).toEqual(['a.example', 'b.example']);
    expect(unknown).toEqual([undefined]);
    expect(domainsOf(named)).toBeUndefined();
    expect(pathsOf(named).map(({ real }) => real)).toEqual(['/repo/o']);
  });

  test('what would be sent of the agent’s own is told with the host that would get it', () => {
    const own = { name: 'key', where: 'query' } as const;
    expect(ownCredentialsOf({ ...page, ownCredential: own })).toEqual([{ ...own, host: 'a.example' }]);
    expect(ownCredentialsOf(page)).toEqual([]);
    expect(
      ownCredentialsOf({ ...line, commands: [fact('curl', { ownCredentials: [{ ...own, host: '' }] })] }),
    ).toEqual([{ ...own, host: '' }]);
  });

  test.each([[{ kind: 'ssh' }], [{ kind: 'constructor' }], [{ kind: 7 }], [{}]])(
    'a stored target of no known kind is told from the others: %j',
    (stored) => {
      expect(isKnownTarget(stored)).toBe(false);
    },
  );
});
