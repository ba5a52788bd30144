import { hash } from 'node:crypto';
import type { Actor, JsonObject } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import canonicalize from 'canonicalize';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { TOOL_NAMES } from '../../tools/index.ts';
import { workspaceOf } from '../places/index.ts';
import { CLIENTS, type Client } from '../tools/client-tools.ts';
import { type ActionBuilder, loadActionBuilders } from './action-builder.ts';
import type { ActionContext } from './action-context.ts';

let builder: ActionBuilder;
beforeAll(async () => {
  const createBuilder = await loadActionBuilders();
  builder = createBuilder();
});

const actor: Actor = {
  tenant: 'default',
  user: 'ana',
  agent: 'dev',
  session: 'sess_1',
  chain: ['dev'],
  confinement: 'unconfined',
};
const context = (over: Partial<ActionContext> = {}): ActionContext => ({
  door: 'hook',
  actor,
  cwd: '/repo/app',
  home: '/home/ana',
  workspace: workspaceOf('/repo/app', '/home/ana'),
  links: () => ({ kind: 'missing' }),
  ...over,
});
const tool = (name: string, input: JsonObject, client?: Client) =>
  builder.tool({ tool: name, input, ...(client === undefined ? {} : { client }) }, context());

describe('tool calls', () => {
  test('what only comments on a call is shown and bound, and no part of its fingerprint', () => {
    const run = (input: JsonObject) => builder.tool({ tool: 'Bash', input }, context());
    const bare = run({ command: 'npm publish' });
    const described = run({ command: 'npm publish', description: 'Publish it' });
    expect(described.fingerprint).toBe(bare.fingerprint);
    expect(described.binding).not.toBe(bare.binding);
    expect(described.preview).toContain('Publish it');
    expect(run({ command: 'npm publish', run_in_background: true }).fingerprint).not.toBe(bare.fingerprint);
    const write = (title: string) =>
      builder.tool({ tool: 'mcp:tracker/create', input: { title, description: 'x' } }, context());
    expect(write('a').fingerprint).not.toBe(write('b').fingerprint);
  });

  test.each<[string, JsonObject, Client | undefined, string, string, string]>([
    ['Read', { file_path: '/etc/passwd' }, undefined, 'Read', 'read host code:read', '/etc/passwd'],
    [
      'Write',
      { file_path: 'a/b', content: 'x' },
      undefined,
      'Write',
      'write workspace code:write',
      '/repo/app/a/b',
    ],
    [
      'NotebookEdit',
      { notebook_path: 'n.ipynb' },
      undefined,
      'NotebookEdit',
      'write workspace code:write',
      '/repo/app/n.ipynb',
    ],
    [
      'fs.delete',
      { path: '/repo/app/x' },
      undefined,
      'fs.delete',
      'write workspace code:delete',
      '/repo/app/x',
    ],
    ['Grep', { pattern: 'x' }, undefined, 'Grep', 'read workspace code:read', '/repo/app'],
    ['Glob', { pattern: '../../etc/*' }, undefined, 'Glob', 'read host code:read', '/etc'],
    ['Glob', { pattern: '**/*.ts', path: '/srv' }, undefined, 'Glob', 'read host code:read', '/srv'],
    ['bash', { command: 'ls' }, 'pi', 'Bash', 'read workspace code:read', ''],
    ['read', { path: 'x' }, 'pi', 'Read', 'read workspace code:read', '/repo/app/x'],
    [
      'edit',
      { path: 'x', oldText: 'a', newText: 'b' },
      'pi',
      'Edit',
      'write workspace code:write',
      '/repo/app/x',
    ],
    ['exec_command', { cmd: 'ls', workdir: '/srv' }, 'codex', 'Bash', 'read host code:read', ''],
    [
      'apply_patch',
      { input: '*** Begin Patch\n*** Add File: new.ts\n+x\n*** End Patch' },
      'codex',
      'Edit',
      'write workspace code:write',
      '/repo/app/new.ts',
    ],
    ['KillBash', { shell_id: '1' }, 'claude-code', 'KillShell', 'write workspace custom:cli', ''],
    [
      'WebFetch',
      { url: 'https://docs.example/x?q=1' },
      undefined,
      'WebFetch',
      'read remote browser:navigate',
      '',
    ],
  ])('%s %j becomes one of the tools that rules know', (name, input, client, canonical, facts, path) => {
    const action = tool(name, input, client);
    expect(action.tool).toBe(canonical);
    expect(`${action.effect} ${action.reach} ${action.type}`).toBe(facts);
    expect(action.target.kind === 'path' ? action.target.paths[0]?.real : '').toBe(path);
    expect(action.target.problem).toBeUndefined();
  });

  test.each<[string, JsonObject, string, Client?]>([
    ['Read', {}, 'MissingArgument'],
    ['Read', { file_path: 7 }, 'MissingArgument'],
    ['Read', { file_path: '' }, 'MissingArgument'],
    ['Read', { path: '/etc/passwd' }, 'MissingArgument'],
    ['Write', { file_path: 'a\0b' }, 'Malformed'],
    ['fs.write', { path: '/repo/app/../x' }, 'PathTraversalAttempt'],
    ['fs.read', { path: './x' }, 'PathTraversalAttempt'],
    ['Glob', { pattern: 'src/*/../../../etc/*' }, 'PathTraversalAttempt'],
    ['Bash', {}, 'MissingArgument'],
    ['cmd.run', { command: 'cargo', args: 'build' }, 'Malformed'],
    ['WebFetch', { url: 'file:///etc/passwd' }, 'Malformed'],
    ['WebFetch', { url: 'https://user:pw@example.com/' }, 'Malformed'],
    ['WebFetch', { url: 'not a url' }, 'Malformed'],
    ['email.send', { subject: 'x' }, 'MissingArgument'],
    ['email.send', { to: 'a@x.example, evil@y.example' }, 'Malformed'],
    ['email.send', { to: '"a@x.example" <evil@y.example>' }, 'Malformed'],
    ['email.send', { to: ['a@x.example', 7] }, 'Malformed'],
    ['apply_patch', { input: 'rm -rf /' }, 'Malformed', 'codex'],
    ['exec_command', { cmd: 'ls', workdir: 'a\0b' }, 'Malformed', 'codex'],
  ])('%s %j is a problem for the gate, not a guess: %s', (name, input, code, client) => {
    expect(tool(name, input, client).target.problem?.code).toBe(code);
  });

  test.each([
    ['Frobnicate', {}],
    ['mcp__evil__tool', {}],
    ['constructor', {}],
    ['__proto__', {}],
  ])('[GA-2] %s, which nobody described, is a remote write of the highest risk', (name, input) => {
    expect(tool(name, input)).toMatchObject({ effect: 'write', reach: 'remote', risk: 'critical' });
  });

  test('a name of one client means nothing for another', () => {
    expect(tool('bash', { command: 'ls' }, 'codex').tool).toBe('bash');
    expect(tool('exec_command', { cmd: 'ls' }, 'pi').risk).toBe('critical');
  });

  test("a client's own MCP server is local in a jail and unknown outside", () => {
    const call = { tool: 'mcp__db__query', input: {} };
    const jailed = builder.tool(call, context({ actor: { ...actor, confinement: 'jailed' } }));
    expect(jailed).toMatchObject({ tool: 'mcp:db/query', reach: 'workspace' });
    expect(builder.tool(call, context()).reach).toBe('remote');
    expect(
      builder.tool(call, context({ door: 'mcp', actor: { ...actor, confinement: 'jailed' } })).reach,
    ).toBe('remote');
  });

  test('a line does what its worst command does', () => {
    expect(tool('Bash', { command: 'ls; git push origin main' })).toMatchObject({
      effect: 'write',
      reach: 'remote',
      type: 'vcs:push',
    });
    expect(tool('Bash', { command: 'ls > out.txt' })).toMatchObject({ effect: 'write', reach: 'workspace' });
    expect(tool('Bash', { command: 'echo "' })).toMatchObject({
      effect: 'write',
      reach: 'remote',
      risk: 'critical',
    });
  });

  test('an argv is read word by word, without a shell', () => {
    const { target } = tool('cmd.run', { command: 'echo', args: ['$(id)', "it's", '; rm -rf /'] });
    expect(target).toMatchObject({
      kind: 'command',
      form: 'argv',
      commands: [{ program: 'echo', argv: ['echo', '$(id)', "it's", '; rm -rf /'] }],
    });
    expect(target.kind === 'command' && target.unknown).toBeFalsy();
  });

  test('the preview is complete and hides nothing', () => {
    const { preview } = tool('Write', { file_path: 'x', content: 'a\u202Eb\u200Bc\u0007\nsecond line' });
    expect(preview).toBe('Write\nfile_path: x\ncontent: a\\u{202e}b\\u{200b}c\\u{7}\nsecond line');
  });

  test.each([
    ['Bash', { command: 'echo \ud800' }],
    ['Write', { file_path: 'x', content: '\udc00' }],
    ['Write', { file_path: 'x', content: 'y', '\ud800': 1 }],
    ['Ba\ud800sh', {}],
  ])('half a character in %j %j is a problem, not an exception', (name, input) => {
    expect(tool(name, input).target.problem?.code).toBe('Malformed');
  });

  test('a text that only looks like half a character is a text', () => {
    const action = tool('Write', { file_path: 'x', content: 'C:\\ud800' });
    expect(action.target.problem).toBeUndefined();
    expect(action.input).toEqual({ file_path: 'x', content: 'C:\\ud800' });
  });

  test('never throws, whatever an agent sends', () => {
    const names = fc.oneof(
      fc.constantFrom(...TOOL_NAMES, 'bash', 'apply_patch', 'exec_command'),
      fc.string(),
    );
    const clients = fc.option(fc.constantFrom(...CLIENTS), { nil: undefined });
    fc.assert(
      fc.property(
        names,
        fc.dictionary(
          fc.constantFrom('command', 'file_path', 'path', 'url', 'to', 'input', 'args'),
          fc.jsonValue({ stringUnit: 'binary' }),
        ),
        clients,
        (name, input, client) => {
          const action = tool(name, input as JsonObject, client);
          expect(action.binding).toMatch(/^[0-9a-f]{64}$/);
        },
      ),
      { numRuns: rounds(500) },
    );
  });
});

describe('requests', () => {
  const request = (method: string, target: string, body?: string) =>
    builder.http(
      {
        scheme: 'https',
        host: 'api.example.com',
        port: 443,
        method,
        target,
        headers: [
          ['authorization', 'Bearer topsecret'],
          ['x-trace', '1'],
        ],
        ...(body === undefined ? {} : { bodyPrefix: new TextEncoder().encode(body) }),
        bodyComplete: true,
      },
      {},
      context({ door: 'proxy' }),
    ).action;

  test('show everything but credentials', () => {
    const action = request('POST', '/pay?amount=5', '{"to":"bob"}');
    expect(action.preview).toBe(
      'POST https://api.example.com/pay?amount=5\nauthorization: [redacted]\nx-trace: 1\n\n{"to":"bob"}',
    );
    expect(JSON.stringify(action)).not.toContain('topsecret');
    expect(action).toMatchObject({ effect: 'write', target: { path: '/pay', queryKeys: ['amount'] } });
  });

  test('are the same question with other headers, another one with another body or URL', () => {
    const base = request('POST', '/pay', 'a').fingerprint;
    expect(request('POST', '/pay', 'b').fingerprint).not.toBe(base);
    expect(request('POST', '/pay?x', 'a').fingerprint).not.toBe(base);
    expect(request('PUT', '/pay', 'a').fingerprint).not.toBe(base);
    const other = builder.http(
      {
        scheme: 'https',
        host: 'api.example.com',
        port: 443,
        method: 'POST',
        target: '/pay',
        headers: [['x-trace', '2']],
        bodyPrefix: new TextEncoder().encode('a'),
        bodyComplete: true,
      },
      {},
      context({ door: 'proxy' }),
    ).action;
    expect(other.fingerprint).toBe(base);
    expect(other.binding).not.toBe(request('POST', '/pay', 'a').binding);
  });

  test('two requests that differ only in the credential have different bindings and fingerprints', () => {
    const with_ = (credential: string) =>
      builder.http(
        {
          scheme: 'https',
          host: 'api.example.com',
          port: 443,
          method: 'GET',
          target: '/',
          headers: [],
          bodyComplete: true,
        },
        {},
        context({ door: 'proxy', credential }),
      ).action;
    expect(with_('github:a').binding).not.toBe(with_('github:b').binding);
    expect(with_('github:a').fingerprint).not.toBe(with_('github:b').fingerprint);
  });

  test('the binding is the digest of the RFC 8785 text, whatever the request', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 20 });
    fc.assert(
      fc.property(
        fc.constantFrom('GET', 'POST', 'get', 'PATCH'),
        fc.webPath(),
        text,
        text,
        fc.boolean(),
        (method, path, value, body, lent) => {
          const action = builder.http(
            {
              scheme: 'https',
              host: 'api.github.com',
              port: 443,
              method,
              target: `${path || '/'}?q=1`,
              headers: [['x-a', value]],
              bodyPrefix: new TextEncoder().encode(body),
              bodyComplete: true,
            },
            {},
            context({ door: 'proxy', ...(lent ? { credential: 'github:x' } : {}) }),
          ).action;
          const { id: _id, binding, fingerprint: _fingerprint, ...draft } = action;
          expect(binding).toBe(hash('sha256', canonicalize(draft) ?? ''));
        },
      ),
    );
  });

  test('a target that cannot be read one way is a problem for the gate', () => {
    expect(request('GET', '/a/%2e%2e/%2e%2e/x').target.problem?.code).toBe('Malformed');
    expect(request('GET', '/a\\b').target.problem?.code).toBe('Malformed');
  });
});
