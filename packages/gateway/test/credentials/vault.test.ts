import { VaultServer } from '@sallyport/testkit';
import { describe, expect, onTestFinished, test } from 'vitest';
import { BrokerFixture, headerOf } from './broker-fixture.ts';

const CANARY = 'canary-77aa88bb99cc';
const TOKEN = 'hvs.operator-made-token';

interface Options {
  readonly source?: string;
  readonly auth?: string;
  readonly more?: string;
}

async function open({
  source = 'vault:kv/team/api#token',
  auth = '{ token: "env:VT" }',
  more = '',
}: Options = {}) {
  const clockOf = { now: (): number => 0 };
  const vault = await VaultServer.start(() => clockOf.now());
  onTestFinished(() => vault[Symbol.asyncDispose]());
  vault.addToken(TOKEN);
  vault.put('kv/team/api', { token: CANARY, user: 'ana' });
  const fixture = await BrokerFixture.open({
    tenant: `sources: { vault: { vault: { address: "${vault.url}", auth: ${auth}${more} } } }
credentials: { api: { kind: bearer, source: "${source}", hosts: [api.example.com] } }`,
    agents: { dev: ['api'] },
    env: { VT: TOKEN, SECRET_ID: 'the-secret-id' },
    longestMs: 2_000,
  });
  clockOf.now = () => fixture.clock.now();
  return { vault, fixture };
}

describe('Vault', () => {
  test('gives a field of a secret', async () => {
    const { vault, fixture } = await open({ more: ', namespace: team-a' });
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
    expect(vault.calls).toEqual(['GET kv/data/team/api']);
    expect(vault.namespaces).toEqual(['team-a']);
  });

  test('gives the only field without its name, also under a mount of several words', async () => {
    const { vault, fixture } = await open({ source: 'vault:x/api', more: ', mount: team/kv' });
    vault.put('team/kv/x/api', { anything: CANARY });
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
  });

  test('gives all fields as JSON when several are meant', async () => {
    const { fixture } = await open({ source: 'vault:kv/team/api' });
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer {"token":"${CANARY}","user":"ana"}`);
  });

  test.each([
    { source: 'vault:kv/team/api#nope', says: 'there is no field `nope`', why: 'no such field' },
    { source: 'vault:kv/nothing', says: 'answered with status 404', why: 'no such secret' },
    { source: 'vault:kv/../sys/raw', says: 'characters that are not taken', why: 'a way up' },
    { source: 'vault:kv/x?list=true', says: 'characters that are not taken', why: 'a query' },
    { source: 'vault:kv/x#a#b', says: 'is not a name', why: 'two fields' },
    { source: 'vault:kv/x#a/b', says: 'is not a name', why: 'a field that is no name' },
  ])('a reference that leads nowhere is refused: $why', async ({ source, says }) => {
    const { fixture } = await open({ source });
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    expect(String(fixture.trail.of('CredentialEvent::Failed')[0]?.data.message)).toContain(says);
  });

  test('logs in as an AppRole, keeps its token, renews it, and logs in again when it was revoked', async () => {
    const { vault, fixture } = await open({
      auth: '{ approle: { role_id: gateway, secret_id: "env:SECRET_ID" } }',
    });
    vault.addRole('gateway', 'the-secret-id');
    vault.leaseSeconds = 900;
    const read = async (): Promise<readonly string[]> => {
      vault.calls.length = 0;
      await fixture.broker.refresh({}, { kind: 'operator', via: 'test' });
      await fixture.sent();
      return [...vault.calls];
    };
    expect(await read()).toEqual(['POST auth/approle/login', 'GET kv/data/team/api']);
    expect(await read()).toEqual(['GET kv/data/team/api']);
    fixture.clock.advance(601_000);
    expect(await read()).toEqual(['POST auth/token/renew-self', 'GET kv/data/team/api']);
    vault.revokeAll();
    expect(await read()).toEqual(['GET kv/data/team/api', 'POST auth/approle/login', 'GET kv/data/team/api']);
    fixture.clock.advance(10_000_000);
    expect(await read()).toEqual(['POST auth/approle/login', 'GET kv/data/team/api']);
  });

  test('logs in with the service account of a pod, and with a token of another credential', async () => {
    const { vault, fixture } = await open({
      auth: '{ kubernetes: { role: gateway, token_file: POD } }'.replace('POD', '/dev/null'),
    });
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    fixture.write('pod.token', 'the-pod-jwt\n', 0o644);
    vault.addPod('gateway', 'the-pod-jwt');
    fixture.reload({
      tenant: `sources: { vault: { vault: { address: "${vault.url}", auth: { kubernetes: { role: gateway, token_file: "${fixture.home}/pod.token" } } } } }
credentials: { api: { kind: bearer, source: "vault:kv/team/api#token", hosts: [api.example.com] } }`,
      agents: { dev: ['api'] },
    });
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
    fixture.reload({
      tenant: `sources: { vault: { vault: { address: "${vault.url}", auth: { token: "secret:login" } } } }
credentials:
  api: { kind: bearer, source: "vault:kv/team/api#token", hosts: [api.example.com] }
  login: { kind: bearer, source: "env:VT", hosts: [vault.example.com] }`,
      agents: { dev: ['api'] },
    });
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
  });

  test.each([
    { answer: { status: 200, body: `<html>${CANARY}` }, why: 'junk' },
    { answer: { status: 200, body: { data: { data: CANARY } } }, why: 'another shape' },
    { answer: { status: 500, body: { errors: [`no ${CANARY}`] } }, why: 'an error that repeats the secret' },
    { answer: { status: 307, body: '' }, why: 'a redirect' },
    { answer: { status: 200, body: CANARY.repeat(100_000) }, why: 'megabytes' },
    { answer: 'never' as const, why: 'nothing at all' },
  ])('[CR-1] that answers $why is an error without its words', async ({ answer }) => {
    const { vault, fixture } = await open();
    vault.answerNext(answer);
    const error = await fixture.refusal();
    expect(error.code).toBe('CredentialUnavailable');
    expect(fixture.printed(error)).not.toContain(CANARY);
    expect(fixture.printed(error)).not.toContain(TOKEN);
  });

  test("[CR-1] the gateway's own logins are kept out of everything, too", async () => {
    const { vault, fixture } = await open({
      auth: '{ approle: { role_id: gateway, secret_id: "env:SECRET_ID" } }',
    });
    vault.addRole('gateway', 'another-secret-id');
    const error = await fixture.refusal();
    expect(fixture.printed(error)).not.toContain('the-secret-id');
    expect(fixture.redactor.redactText('x the-secret-id y')).not.toContain('the-secret-id');
  });

  test('without settings it is where the environment says', async () => {
    const { vault, fixture } = await open();
    const bare =
      'credentials: { api: { kind: bearer, source: "vault:kv/team/api#token", hosts: [api.example.com] } }';
    const other = await BrokerFixture.open({
      tenant: bare,
      agents: { dev: ['api'] },
      env: { VAULT_ADDR: vault.url, VAULT_TOKEN: TOKEN },
    });
    expect(headerOf(await other.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
    fixture.reload({ tenant: bare, agents: { dev: ['api'] } });
    await fixture.refusal();
    expect(fixture.trail.of('CredentialEvent::Failed')[0]?.data.message).toBe('nothing says where Vault is');
  });
});
