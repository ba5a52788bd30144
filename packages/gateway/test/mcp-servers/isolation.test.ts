import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ToolRouter } from '../../src/executors/index.ts';
import { RpcError } from '../../src/shared/json-rpc.ts';
import { actionOf, admitted, codeOf, jobOf, quietPeer, raw, ServersFixture } from './servers-fixture.ts';

const KEY = 'key-4f7Zq8Lw9RtX2pQ';
const CREDENTIALS = { credentials: { API_KEY: 'env:UPSTREAM_KEY' } };
const ENV = { UPSTREAM_KEY: KEY };

describe('the environment of a server', () => {
  test('[TO-9] holds nothing of the gateway but where programs are, and its credentials', async () => {
    vi.stubEnv('SALLYPORT_TEST_CANARY', 'canary');
    onTestFinished(() => void vi.unstubAllEnvs());
    await using fixture = await ServersFixture.open([raw('environment')]);
    const env = JSON.parse(String(await fixture.says('mcp:raw/echo')));
    expect(Object.keys(env).toSorted()).toEqual(['HOME', 'LANG', 'PATH', 'TMPDIR']);
    expect(env.HOME).not.toBe(process.env.HOME);
  });

  test('has the plain variables that the config gives it, and cannot be given ours', async () => {
    await using fixture = await ServersFixture.open([raw('environment', { env: { LOG_LEVEL: 'quiet' } })], {
      env: ENV,
    });
    const env = JSON.parse(String(await fixture.says('mcp:raw/echo')));
    expect(Object.keys(env).toSorted()).toEqual(['HOME', 'LANG', 'LOG_LEVEL', 'PATH', 'TMPDIR']);
    expect(env.LOG_LEVEL).toBe('quiet');
  });

  test('has the value that a credential’s reference names, under its own name', async () => {
    await using fixture = await ServersFixture.open([raw('environment', CREDENTIALS)], { env: ENV });
    const env = JSON.parse(String(await fixture.says('mcp:raw/echo')));
    // It arrived, and is taken out of what comes back.
    expect(env.API_KEY).toBe('*'.repeat(KEY.length));
  });

  test('a credential that cannot be read keeps the server from starting', async () => {
    await using fixture = await ServersFixture.open([raw('environment', CREDENTIALS)], {
      limits: { failures: 1 },
    });
    await fixture.status('raw', 'Failed');
    expect(fixture.servers.get('raw')?.lastError).toBe('variable `UPSTREAM_KEY` is not set');
  });
});

describe('the credential of a server', () => {
  test('[TO-9] is taken out of results: text, base64, structured content', async () => {
    await using fixture = await ServersFixture.open([raw('secret', CREDENTIALS)], { env: ENV });
    const result = await fixture.calls('mcp:raw/echo', {}, { peer: quietPeer('p1') });
    const text = JSON.stringify(result);
    expect(text).not.toContain(KEY);
    expect(text).not.toContain(Buffer.from(KEY).toString('base64'));
    expect(result.structuredContent).toEqual({ key: '*'.repeat(KEY.length) });
  });

  test('[TO-9] is taken out also where it was rotated since the server was first started', async () => {
    const env = { ...ENV };
    await using fixture = await ServersFixture.open([raw('secret', CREDENTIALS)], { env });
    await fixture.status('raw', 'Running');
    env.UPSTREAM_KEY = 'another-8Lw9RtX2pQ4f7Z';
    const later = JSON.stringify(await fixture.calls('mcp:raw/echo', {}, { peer: quietPeer('p1') }));
    expect(later).not.toContain(env.UPSTREAM_KEY);
    expect(later).toContain('*'.repeat(env.UPSTREAM_KEY.length));
    expect(JSON.stringify(await fixture.calls('mcp:raw/echo'))).not.toContain(KEY);
  });

  test('[TO-9] is taken out of errors, and of the log', async () => {
    await using fixture = await ServersFixture.open([raw('secret-error', CREDENTIALS)], { env: ENV });
    const error = await fixture.calls('mcp:raw/echo').catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({
      message: `bad key ${'*'.repeat(KEY.length)}`,
      data: ['*'.repeat(KEY.length)],
    });
    expect(fixture.redactor.redactText(`x ${KEY}`)).not.toContain(KEY);
  });
});

describe('the permit', () => {
  test('[GA-1] a call without the gate’s own verdict, with a used one, or of another action does not run', async () => {
    await using fixture = await ServersFixture.open([raw('plain')]);
    const forged = jobOf('mcp:raw/echo');
    expect(await codeOf(fixture.path.run(forged))).toBe('NotAdmitted');
    const used = admitted(jobOf('mcp:raw/echo'));
    await fixture.path.run(used);
    expect(await codeOf(fixture.path.run(used))).toBe('NotAdmitted');
    const other = {
      ...admitted(jobOf('mcp:raw/echo')),
      action: actionOf('mcp:raw/echo', { message: 'other' }),
    };
    expect(await codeOf(fixture.path.run(other))).toBe('NotAdmitted');
    expect(await codeOf(new ToolRouter([fixture.path]).run(jobOf('mcp:raw/echo')))).toBe('NotAdmitted');
  });
});

describe('names', () => {
  test('[TO-1] a tool with a capability has that one name, so that rules for `web.*` cannot be walked around', async () => {
    await using fixture = await ServersFixture.open([raw('plain', { capabilities: ['web.*'] })]);
    const actor = { tenant: 'default', chain: [], confinement: 'jailed' } as const;
    expect(fixture.path.tools(actor).map(({ tool }) => tool)).toEqual(['mcp:raw/echo', 'web.fetch']);
    expect(await fixture.says('web.fetch', { message: 'x' })).toBe('Echo: x');
    expect(fixture.path.knows('mcp:raw/web.fetch')).toBe(false);
    expect(await codeOf(fixture.calls('mcp:raw/web.fetch'))).toBe('ToolNotFound');
    expect(await codeOf(fixture.calls('web.search'))).toBe('ToolNotFound');
  });

  test('an exact capability of one server comes before the prefix of another', async () => {
    await using fixture = await ServersFixture.open([
      raw('plain', { capabilities: ['web.*'] }),
      raw('plain', { name: 'exact', capabilities: ['web.fetch'] }),
    ]);
    expect(fixture.servers.find('web.fetch')?.server.name).toBe('exact');
    expect(fixture.path.knows('mcp:raw/web.fetch')).toBe(false);
  });

  test('[TO-1] agents of another tenant neither see nor call a server that is not theirs', async () => {
    await using fixture = await ServersFixture.open([raw('plain', { tenants: ['red'] })]);
    expect(fixture.path.tools({ tenant: 'default', chain: [], confinement: 'jailed' })).toEqual([]);
    expect(fixture.path.tools({ tenant: 'red', chain: [], confinement: 'jailed' })).toHaveLength(2);
    expect(await codeOf(fixture.calls('mcp:raw/echo'))).toBe('ToolNotFound');
    const theirs = fixture.calls('mcp:raw/echo', {}, { action: actionOf('mcp:raw/echo', {}, 'red') });
    expect(await codeOf(theirs)).toBeUndefined();
  });

  test('what only reads is what the operator says, of that server alone', async () => {
    await using fixture = await ServersFixture.open([
      raw('plain', { reads: ['ec*', 'web.fetch'], capabilities: ['web.fetch'] }),
      raw('plain', { name: 'other', reads: ['fetch'] }),
    ]);
    const asked = [
      'mcp:raw/echo',
      'web.fetch',
      'mcp:raw/other',
      'mcp:other/echo',
      'mcp:other/web.fetch',
      'Read',
    ];
    expect(asked.filter((tool) => fixture.servers.onlyReads(tool))).toEqual(['mcp:raw/echo', 'web.fetch']);
  });

  test('skip_judge is about the tools of that server alone', async () => {
    await using fixture = await ServersFixture.open([
      raw('plain', { skip_judge: true, capabilities: ['web.fetch'] }),
      raw('plain', { name: 'other' }),
    ]);
    const skipped = ['mcp:raw/echo', 'web.fetch', 'mcp:other/echo', 'web.search', 'Bash'];
    expect(skipped.filter((tool) => fixture.servers.skipsJudge(tool))).toEqual(['mcp:raw/echo', 'web.fetch']);
  });
});
