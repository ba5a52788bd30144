import type { Action } from '@sallyport/protocol';
import { afterEach, describe, expect, test } from 'vitest';
import type { Answer, QuestionDraft } from '../../src/approvals/index.ts';
import { bash, fact, http } from '../../src/gate/gate.fixture.ts';
import { ReadBudget } from '../../src/gate/index.ts';
import { type GateFixture, openGate } from './gate-fixture.ts';

const LONG = 'x'.repeat(1_900);
const HEADERS = [
  ['User-Agent', 'client/1.0'],
  ['Accept', '*/*'],
];

/** A read as the proxy makes it. */
function read(path: string, over: { readonly session?: string; readonly headers?: string[][] } = {}): Action {
  const url = `https://docs.example${path}`;
  const { session = 'sess_1', headers = HEADERS } = over;
  return http(
    `GET docs.example${path.split('?')[0]}`,
    {},
    {
      id: `act_${Math.random()}`,
      door: 'proxy',
      effect: 'read',
      reach: 'remote',
      input: { url, headers, method: 'GET' },
      actor: { session },
    },
  );
}

/** A person who says yes to everything, and what was asked. */
class YesSayer {
  readonly asked: QuestionDraft[] = [];

  async ask(draft: QuestionDraft): Promise<Answer> {
    this.asked.push(draft);
    const approval = { ...draft, id: 'appr_1', quorum: 1, expiresInMs: 1, status: 'approved' as const };
    return {
      kind: 'ended',
      approval: { ...approval, createdAt: 0, expiresAt: 1, agreed: [], decision: { code: '1' } },
    };
  }

  open(): never {
    throw new Error('nobody leaves');
  }

  quorumOf(): number {
    return 1;
  }
}

let fixture: GateFixture | undefined;
afterEach(() => fixture?.[Symbol.asyncDispose]());

async function gateWith(network: object = {}) {
  fixture = await openGate({
    agents: { dev: { permissions: ['allow:*'] } },
    network: { default: 'allow', ...network },
  });
  const person = new YesSayer();
  const gate = fixture.break({ approvals: person, reads: new ReadBudget() });
  return { gate, person, fixture };
}

describe('[NE-10] what reads carry out', () => {
  test('read_budget.request is what one read may carry out without a question', async () => {
    const { gate, person } = await gateWith();
    await gate.admit(read(`/search?q=${LONG}`));
    expect(person.asked).toEqual([]);
    await gate.admit(read(`/search?q=${LONG}${LONG}`));
    expect(person.asked).toMatchObject([
      { strength: 'each-time', reason: { layer: 'boundary', rule: expect.stringContaining('read_budget') } },
    ]);
  });

  test('headers count, whatever they are called', async () => {
    const { gate, person } = await gateWith();
    await gate.admit(read('/', { headers: [['Accept-Language', LONG + LONG]] }));
    expect(person.asked).toHaveLength(1);
  });

  test('read_budget.session is what the reads of a session may carry to one host', async () => {
    const { gate, person } = await gateWith({ read_budget: { session: 10_000 } });
    for (let part = 0; part < 5; part += 1) await gate.admit(read(`/search?q=${part}${LONG}`));
    expect(person.asked).toEqual([]);
    await gate.admit(read(`/search?q=5${LONG}`));
    expect(person.asked).toHaveLength(1);
    expect(person.asked[0]?.covers).toEqual({});
    // A yes is for as much again.
    for (let part = 6; part < 11; part += 1) await gate.admit(read(`/search?q=${part}${LONG}`));
    expect(person.asked).toHaveLength(1);
    await gate.admit(read(`/search?q=11${LONG}`));
    expect(person.asked).toHaveLength(2);
  });

  test('a standing answer for the host does not let a file out', async () => {
    const { gate, person, fixture } = await gateWith({ default: 'ask' });
    await fixture.grant({
      covers: {
        kind: 'reads',
        of: { kind: 'host', host: 'docs.example', port: 443 },
        credential: null,
        risk: 'critical',
      },
      scope: 'always',
    });
    await gate.admit(read('/page'));
    expect(person.asked).toEqual([]);
    for (let part = 0; part < 40; part += 1) await gate.admit(read(`/search?q=${part}${LONG}`));
    expect(person.asked.length).toBeGreaterThan(0);
  });

  test('another session and another host have their own', async () => {
    const { gate, person } = await gateWith({ read_budget: { session: 5_000 } });
    for (const session of ['a', 'b', 'c'])
      for (let part = 0; part < 2; part += 1) await gate.admit(read(`/?q=${part}${LONG}`, { session }));
    expect(person.asked).toEqual([]);
  });

  test('what is sent again counts once', async () => {
    const { gate, person } = await gateWith({ read_budget: { session: 5_000 } });
    for (let part = 0; part < 500; part += 1) await gate.admit(read(`/status?long=${LONG}`));
    expect(person.asked).toEqual([]);
  });

  test('packages are names, not words of the session; their queries count', () => {
    const budget = new ReadBudget();
    const of = (url: string): number | undefined =>
      budget.count({ ...withProvider(read('/')), input: { url, headers: [] } })?.fresh;
    expect(of('https://docs.example/react/-/react-19.1.0.tgz')).toBe(0);
    expect(of('https://docs.example/react?write=abc')).toBe('?write=abc'.length);
  });

  test('a command is counted by its words', async () => {
    const { gate, person } = await gateWith();
    const curl = (text: string): Action =>
      bash([fact(text, { reach: 'remote', hosts: [{ host: 'docs.example' }] })], {
        id: `act_${Math.random()}`,
        effect: 'read',
        reach: 'remote',
      });
    await gate.admit(curl('curl https://docs.example/a'));
    expect(person.asked).toEqual([]);
    await gate.admit(curl(`curl https://docs.example/?q=${LONG}${LONG}`));
    expect(person.asked).toHaveLength(1);
  });

  test('inference and writes are judged by their bodies', () => {
    const budget = new ReadBudget();
    expect(budget.count({ ...read('/'), type: 'custom:inference' })).toBeUndefined();
    expect(budget.count({ ...read('/'), effect: 'write' })).toBeUndefined();
  });

  test('forgets the session and host that it heard of longest ago, and no other', () => {
    const budget = new ReadBudget();
    budget.count(read(`/?q=${LONG}`, { session: 'kept' }));
    for (let other = 0; other < 3_990; other += 1) budget.count(read('/', { session: `s${other}` }));
    expect(budget.count(read('/', { session: 'kept' }))?.before).toBeGreaterThan(1_900);
    for (let other = 0; other < 4_001; other += 1) budget.count(read('/', { session: `t${other}` }));
    expect(budget.count(read('/', { session: 'kept' }))?.before).toBe(0);
  });
});

function withProvider(action: Action): Action {
  const { target } = action;
  return target.kind === 'http' ? { ...action, target: { ...target, provider: 'npm' } } : action;
}
