import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { waitFor } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { BrokerFixture, headerOf, outgoing } from './broker-fixture.ts';

const CANARY = 'canary-0a1b2c3d4e5f';
const api = (source: string, more = ''): string =>
  `credentials: { api: { kind: bearer, source: "${source}", hosts: [api.example.com, "*.deep.example.com"]${more} } }`;
const setup = {
  tenant: api('file:api.secret'),
  agents: { dev: ['api'], other: [] },
};

async function withFile(over: Partial<typeof setup> & { longestMs?: number } = {}): Promise<BrokerFixture> {
  const fixture = await BrokerFixture.open({ ...setup, ...over });
  fixture.write('api.secret', `${CANARY}\n`);
  return fixture;
}

describe('a credential', () => {
  test('is read once, lent at once from then on, and every read is an event with names only', async () => {
    const fixture = await withFile();
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
    expect(fixture.broker.lend(fixture.ask())).not.toBeInstanceOf(Promise);
    await fixture.sent();
    expect(fixture.reads()).toEqual([
      {
        tenant: 'default',
        type: 'CredentialEvent::Read',
        actor: fixture.ask().actor,
        action_id: 'act_1',
        data: { credential: 'api', kind: 'bearer', host: 'api.example.com', source: 'file:api.secret' },
      },
    ]);
    expect(fixture.redactor.redactText(`it is ${CANARY}`)).not.toContain(CANARY);
  });

  test('is read once for all who wait for it', async () => {
    const fixture = await withFile();
    await Promise.all(Array.from({ length: 20 }, () => fixture.sent()));
    expect(fixture.reads()).toHaveLength(1);
  });

  test('is read again when its time in memory is over', async () => {
    const fixture = await withFile();
    await fixture.sent();
    fixture.clock.advance(299_999);
    await fixture.sent();
    expect(fixture.reads()).toHaveLength(1);
    fixture.clock.advance(1);
    await fixture.sent();
    expect(fixture.reads()).toHaveLength(2);
  });

  test('is put in as a route wants it, when it is a single value', async () => {
    const fixture = await withFile();
    const inject = { header: 'X-Token', format: 'Token {value}' };
    const loan = await fixture.lend({ inject });
    const request = outgoing({ headers: [['x-token', 'mine']] });
    await loan.apply(request);
    expect(request.headers).toEqual([['x-token', `Token ${CANARY}`]]);
    expect(loan.values().map((secret) => secret.reveal())).toEqual([CANARY]);
    expect(loan.placeholderValue?.(outgoing()).reveal()).toBe(CANARY);
    fixture.reload({ ...setup, tenant: api('file:api.secret').replace('kind: bearer', 'kind: datadog') });
    fixture.write('api.secret', '{"api_key":"key-number-one","app_key":"key-number-two"}');
    const two = await fixture.lend({ inject });
    expect(() => two.apply(outgoing())).toThrow('no single value');
    expect(two.placeholderValue).toBeUndefined();
  });

  test('[CR-2] in the place of a placeholder goes no further than in a header of ours', async () => {
    const fixture = await withFile();
    const loan = await fixture.lend();
    expect(() => loan.placeholderValue?.(outgoing({ scheme: 'http', port: 80 }))).toThrow('not sent over');
    expect(() => loan.placeholderValue?.(outgoing({ host: 'evil.example' }))).toThrow('another host');
  });

  test('that is being read when the gateway stops is not waited for', { timeout: 20_000 }, async () => {
    const fixture = await BrokerFixture.open({
      ...setup,
      longestMs: 600_000,
      tenant: `sources: { slow: { read: "sleep 600{key}" } }\n${api('slow:0')}`,
    });
    const lending = fixture.refusal();
    await fixture.broker.close();
    expect((await lending).code).toBe('CredentialUnavailable');
  });

  test('tells facts to everyone, and none for a name that the tenant does not have', async () => {
    const fixture = await withFile({ tenant: api('file:api.secret', ', risk: high') });
    const facts = fixture.broker.facts('default', 'api');
    expect(facts).toMatchObject({ name: 'api', kind: 'bearer', risk: 'high' });
    expect(facts?.mayGoTo('api.example.com')).toBe(true);
    expect(fixture.broker.facts('default', 'nope')).toBeUndefined();
    expect(fixture.broker.facts('nobody', 'api')).toBeUndefined();
    expect(fixture.broker.facts('default', 'constructor')).toBeUndefined();
  });

  test('[CR-1] is kept out of everything as soon as it was read, also when its kind cannot use it', async () => {
    const fixture = await withFile();
    const unusable = `${CANARY}-ä-unusable`;
    fixture.write('api.secret', unusable);
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    expect(fixture.redactor.redactText(`it is ${unusable}`)).not.toContain(unusable);
  });

  test('is not lent when its read cannot be recorded', async () => {
    const fixture = await withFile();
    fixture.trail.broken = true;
    expect((await fixture.refusal()).code).toBe('AuditUnavailable');
    fixture.trail.broken = false;
    await fixture.sent();
  });
});

describe('[CR-2] a value goes only to the hosts that it is bound to', () => {
  test.each([
    { host: 'evil.example', why: 'another host' },
    { host: 'example.com', why: 'the parent' },
    { host: 'x.api.example.com', why: 'a host below, when only the host itself is named' },
    { host: 'deep.example.com', why: 'the parent of a wildcard' },
    { host: 'api.example.com.evil.example', why: 'a suffix trick' },
    { host: 'api.example.com:443', why: 'no host' },
    { host: '', why: 'nothing' },
  ])('$why: $host', async ({ host }) => {
    const fixture = await withFile();
    await fixture.sent();
    expect((await fixture.refusal({ host })).code).toBe('CredentialNotAllowed');
    expect(fixture.broker.facts('default', 'api')?.mayGoTo(host)).toBe(false);
  });

  test('a loan for one host is not used on another, nor for another tenant', async () => {
    const fixture = await withFile();
    const loan = await fixture.lend();
    for (const over of [{ host: 'a.deep.example.com' }, { tenant: 'other' }]) {
      const request = outgoing(over);
      expect(() => loan.apply(request)).toThrow('was lent for another host');
      expect(request.headers).toEqual([]);
    }
  });

  test('it is not sent in the clear, unless the config says so or it stays on this machine', async () => {
    const fixture = await withFile();
    const loan = await fixture.lend();
    expect(() => loan.apply(outgoing({ scheme: 'http' }))).toThrow('is not sent over `http://`');
    fixture.reload({ ...setup, tenant: api('file:api.secret', ', plain_http: true') });
    expect(headerOf(await fixture.sent({}, outgoing({ scheme: 'http' })), 'authorization')).toContain(CANARY);
    fixture.reload({ ...setup, tenant: api('file:api.secret').replace('api.example.com', '127.0.0.1') });
    const host = '127.0.0.1';
    expect(
      headerOf(await fixture.sent({ host }, outgoing({ scheme: 'http', host })), 'authorization'),
    ).toContain(CANARY);
  });
});

describe('[CR-5] a credential of one agent is never used for another', () => {
  test.each([
    { over: { session: 'sess_other' }, why: 'a session without it' },
    { over: { session: 'sess_nobody' }, why: 'no session' },
    { over: { name: 'nope' }, why: 'a name that nobody has' },
  ])('$why gets the same words', async ({ over }) => {
    const fixture = await withFile();
    await fixture.sent();
    const error = await fixture.refusal(over);
    const name = 'name' in over ? over.name : 'api';
    expect([error.code, error.message]).toEqual([
      'CredentialNotAllowed',
      `this session may not use the credential \`${name}\``,
    ]);
  });

  test('[ID-4] nor for another tenant, which has one of the same name', async () => {
    const fixture = await BrokerFixture.open({
      ...setup,
      agents: { dev: ['api'] },
      other: api('file:other.secret'),
    });
    fixture.write('api.secret', CANARY);
    fixture.write('other.secret', 'the-other-secret');
    const other = { tenant: 'other', session: 'sess_other' };
    expect(headerOf(await fixture.sent(other, outgoing({ tenant: 'other' })), 'authorization')).toBe(
      'Bearer the-other-secret',
    );
    expect((await fixture.refusal({ tenant: 'other', session: 'sess_dev' })).code).toBe(
      'CredentialNotAllowed',
    );
    expect((await fixture.refusal({ tenant: 'default', session: 'sess_other' })).code).toBe(
      'CredentialNotAllowed',
    );
    expect(fixture.trail.events.filter(({ tenant }) => tenant === 'default')).toEqual([]);
  });

  test('nor in a session of the same agent that was given fewer', async () => {
    const fixture = await withFile();
    await fixture.sent();
    fixture.openSession('dev', [], 'default', 'sess_limited');
    expect((await fixture.refusal({ session: 'sess_limited' })).code).toBe('CredentialNotAllowed');
  });

  test('a session that has ended while the source was asked gets nothing', async () => {
    const fixture = await withFile();
    const lending = fixture.refusal();
    fixture.sessions.delete('sess_dev');
    expect((await lending).code).toBe('CredentialNotAllowed');
  });

  test('a session whose time is over gets nothing', async () => {
    const fixture = await withFile();
    await fixture.sent();
    fixture.clock.advance(86_400_000);
    expect((await fixture.refusal()).code).toBe('CredentialNotAllowed');
  });
});

describe('[CR-6] rotation and revocation hold at once', () => {
  test('a file that was replaced counts from the next request on', async () => {
    const fixture = await withFile();
    await fixture.sent();
    fixture.write('api.secret', 'canary-rotated-99');
    expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer canary-rotated-99');
  });

  test('a file that is gone, or open to others, is not lent any more', async () => {
    const fixture = await withFile();
    await fixture.sent();
    rmSync(join(fixture.home, 'api.secret'));
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    rmSync(join(fixture.home, 'api.secret'), { force: true });
    fixture.write('api.secret', CANARY, 0o644);
    fixture.clock.advance(2_000);
    expect((await fixture.refusal()).code).toBe('CredentialUnavailable');
    expect(fixture.trail.of('CredentialEvent::Failed').at(-1)?.data.code).toBe('SecretExposed');
  });

  test('a credential that the config takes from the agent, or that it has no more, is not lent', async () => {
    const fixture = await withFile();
    const loan = await fixture.lend();
    fixture.reload({ ...setup, agents: { dev: [], other: [] } });
    expect((await fixture.refusal()).code).toBe('CredentialNotAllowed');
    fixture.reload({ tenant: '', agents: { dev: [] } });
    expect((await fixture.refusal()).code).toBe('CredentialNotAllowed');
    expect(() => loan.apply(outgoing())).toThrow('was changed meanwhile');
    expect(() => loan.placeholderValue?.(outgoing())).toThrow('was changed meanwhile');
  });

  test.each<{ change: (fixture: BrokerFixture) => void; why: string }>([
    {
      change: (fixture) => fixture.reload({ ...setup, agents: { dev: [], other: [] } }),
      why: 'taken from the agent',
    },
    { change: (fixture) => fixture.reload({ ...setup, tenant: api('env:X') }), why: 'changed in the config' },
    { change: (fixture) => fixture.sessions.delete('sess_dev'), why: 'of a session that has ended' },
  ])('a loan that is not sent yet is worthless once its credential is $why', async ({ change }) => {
    const fixture = await withFile();
    const loan = await fixture.lend();
    change(fixture);
    const request = outgoing();
    expect(() => loan.apply(request)).toThrow('was changed meanwhile');
    expect(request.headers).toEqual([]);
  });

  test('a credential with another source or other hosts starts anew; one that stays the same does not', async () => {
    const fixture = await withFile();
    fixture.write('new.secret', 'canary-new-source');
    const loan = await fixture.lend();
    fixture.reload({ ...setup });
    expect(fixture.broker.lend(fixture.ask())).not.toBeInstanceOf(Promise);
    fixture.reload({ ...setup, tenant: api('file:new.secret') });
    expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer canary-new-source');
    expect(() => loan.apply(outgoing())).toThrow('was changed meanwhile');
  });

  test('a refresh makes loans of the value before worthless', async () => {
    const fixture = await withFile();
    const loan = await fixture.lend();
    await fixture.broker.refresh({}, { kind: 'operator', via: 'test' });
    expect(() => loan.apply(outgoing())).toThrow('was changed meanwhile');
    expect(fixture.reads().at(-1)?.actor).toEqual({ kind: 'operator', via: 'test' });
    await fixture.sent();
  });

  test('a value that was being read when it was rotated does not come back', async () => {
    const fixture = await BrokerFixture.open({
      ...setup,
      // The first read waits for the old value; later ones find the new one at once.
      tenant: `sources: { slow: { read: "sh -c 'if test -e first; then echo new-value; else touch first; until test -e {key}; do sleep 0.01; done; cat {key}; fi'" } }
${api('slow:go')}`,
    });
    const lending = fixture.refusal();
    await waitFor('the first run of the command', () =>
      expect(existsSync(join(fixture.home, 'first'))).toBe(true),
    );
    await fixture.broker.refresh({}, { kind: 'operator', via: 'test' });
    fixture.write('go', `${CANARY}\n`);
    expect((await lending).code).toBe('CredentialUnavailable');
    expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer new-value');
  });

  test('a credential that another one names takes it along', async () => {
    const fixture = await BrokerFixture.open({
      tenant: `credentials:
  api: { kind: bearer, source: "secret:base", hosts: [api.example.com] }
  base: { kind: bearer, source: "file:base.secret", hosts: [api.example.com] }`,
      agents: { dev: ['api'] },
    });
    fixture.write('base.secret', CANARY);
    expect(headerOf(await fixture.sent(), 'authorization')).toBe(`Bearer ${CANARY}`);
    fixture.write('base.secret', 'canary-rotated-98');
    expect(headerOf(await fixture.sent(), 'authorization')).toBe('Bearer canary-rotated-98');
  });
});
