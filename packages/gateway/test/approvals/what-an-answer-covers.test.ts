import type { Action } from '@sallyport/protocol';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ActionBuilder, type ActionContext, loadActionBuilders } from '../../src/actions/index.ts';
import type { Decision } from '../../src/approvals/index.ts';
import { DEEDS } from '../gate/deeds.ts';
import { forcePush } from './actions.ts';
import { type ApprovalsFixture, CONFIG, openFixture } from './approvals-fixture.ts';
import { FakeChannel } from './fake-channel.ts';

let chat: FakeChannel;
let fixture: ApprovalsFixture;
let builder: ActionBuilder;
const network = { rules: [{ host: 'api.github.com', action: 'allow' }] };
beforeAll(async () => {
  builder = (await loadActionBuilders())();
});
beforeEach(async () => {
  chat = new FakeChannel('chat');
  fixture = await openFixture({ channels: [chat], config: { network } });
});
afterEach(() => fixture[Symbol.asyncDispose]());

const context = (session: string): ActionContext => ({
  door: 'hook',
  actor: { tenant: 'default', user: 'ana', agent: 'dev', session, chain: ['dev'], confinement: 'jailed' },
  cwd: '/repo',
  home: '/home/ana',
  links: () => ({ kind: 'plain' }),
});

function deed(operation: string, object: string, over: { id?: number; session?: string } = {}): Action {
  const found = DEEDS.find((one) => one.operation === operation && one.object === object);
  if (found === undefined) throw new Error(`no deed \`${operation}\``);
  return found.make(builder, context(over.session ?? 'sess_1'), { id: over.id ?? 1, text: 'a' });
}

/** Admits, lets a person answer, and returns the question. */
async function answered(action: Action, answer: string | Decision) {
  const verdict = fixture.gate.admit(action);
  const asked = await fixture.question();
  const outcome =
    typeof answer === 'string'
      ? await chat.reply(asked.id, 'ana-1', answer)
      : await fixture.open.decisions.fromOperator(asked.id, answer);
  expect(outcome).toMatchObject({ kind: 'decided' });
  await verdict;
  return asked;
}

/** Whether people are asked about it; the question is then withdrawn by a no. */
async function asks(action: Action): Promise<boolean> {
  const caller = new AbortController();
  let isAsked = false;
  const verdict = fixture.gate.admit(action, {
    signal: caller.signal,
    onAsked: () => {
      isAsked = true;
      caller.abort();
    },
  });
  await verdict;
  return isAsked;
}

describe('after `2` to a comment on GitHub', () => {
  test('[GA-11] the comment passes, and nothing else of that host, that repository or another one', async () => {
    const asked = await answered(deed('comment', 'acme/app'), '2');
    expect(asked.does).toBe('`github:issues/create-comment` on github.com/acme/app');
    expect(await asks(deed('comment', 'acme/app', { id: 7 }))).toBe(false);
    for (const operation of [
      'open an issue',
      'delete the repository',
      'add a deploy key',
      'add a collaborator',
      'add a webhook',
      'change the repository',
      'unprotect main',
      'set a secret',
      'run a workflow',
      'something new',
    ])
      expect({ operation, asks: await asks(deed(operation, 'acme/app')) }).toEqual({ operation, asks: true });
    expect(await asks(deed('comment', 'acme/other'))).toBe(true);
    expect(await asks(deed('comment', 'acme/app', { session: 'sess_2' }))).toBe(true);
  });
});

describe('a write at a new host', () => {
  test('is one question with every reason, and one answer for all of them [GA-12]', async () => {
    const asked = await answered(deed('make a row', 'new.example'), '2');
    expect(asked.reason).toMatchObject({
      layer: 'boundary',
      reason: 'no network rule names `new.example`',
      also: [{ layer: 'mode', reason: 'a remote write that no exception covers' }],
    });
    expect(asked.covers.session).toMatch(
      /^`POST \/v1\/tables\/\{\}\/rows` on new\.example\/v1\/tables, by `dev`, .*; and reads of new\.example do not ask for its being new, in this session$/,
    );
    expect(await asks(deed('make a row', 'new.example'))).toBe(false);
    expect(await asks(deed('make a row', 'new.example', { id: 2 }))).toBe(false);
    expect(await asks(deed('read', 'new.example'))).toBe(false);
    expect(await asks(deed('delete a row', 'new.example'))).toBe(true);
    expect(await asks(deed('read', 'new.example:8443'))).toBe(true);
    expect(await asks(deed('read', 'other.example'))).toBe(true);
  });

  test('a command that reads one opens it for the reads that come by the proxy, and for nothing else', async () => {
    const { actor, ...rest } = context('sess_1');
    const outside = { ...rest, actor: { ...actor, confinement: 'unconfined' } } as const;
    const curl = (words: string): Action =>
      builder.tool({ tool: 'Bash', input: { command: `curl -sS ${words}` } }, outside);
    const asked = await answered(curl('https://new.example/healthz'), '2');
    expect(asked.covers.session).toContain('and reads of new.example do not ask for its being new');
    expect(await asks(deed('read', 'new.example'))).toBe(false);
    expect(await asks(deed('make a row', 'new.example'))).toBe(true);
    expect(await asks(deed('read', 'new.example:8443'))).toBe(true);
    expect(await asks(deed('read', 'other.example'))).toBe(true);
    // What a command carries out is not counted: each is asked about by itself.
    expect(await asks(curl('https://new.example/?d=aGVyZQ'))).toBe(true);
  });

  test('its reads ask for what else there is to ask', async () => {
    await answered(deed('make a row', 'new.example'), '2');
    fixture.setPolicy({
      ...CONFIG,
      network,
      agents: { dev: { permissions: ['ask:http(GET new.example/**)'] } },
    });
    expect(await asks(deed('read', 'new.example'))).toBe(true);
  });
});

describe('wider, on purpose', () => {
  test('`2` with a scope covers what its words said', async () => {
    const asked = await answered(deed('comment', 'acme/app'), { code: '2', scope: 'operation-of-owner' });
    expect(asked.wider?.['operation-of-owner']?.words).toBe(
      '`github:issues/create-comment` on everything of github.com/acme, by `dev`, at risk high or lower',
    );
    expect(await asks(deed('comment', 'acme/other'))).toBe(false);
    expect(await asks(deed('open an issue', 'acme/other'))).toBe(true);
  });

  test.each<[string, Decision, string]>([
    ['a scope that is not offered', { code: '2', scope: 'reads-of-host' }, 'comment'],
    ['a scope with an answer that does not stand', { code: '1', scope: 'operation-of-owner' }, 'comment'],
    [
      'any scope for what is listed as critical',
      { code: '6', scope: 'operation-of-owner' },
      'add a deploy key',
    ],
    ['a standing no by another code', { code: '1', always: true }, 'comment'],
  ])('takes no %s', async (_what, decision, operation) => {
    const caller = new AbortController();
    const verdict = fixture.gate.admit(deed(operation, 'acme/app'), { signal: caller.signal });
    const { id } = await fixture.question();
    const { kind } = await fixture.open.decisions.fromOperator(id, decision);
    expect(['refused', 'invalid']).toContain(kind);
    caller.abort();
    expect(await verdict).toMatchObject({ kind: 'deny' });
    expect((await fixture.grants.list({})).items).toEqual([]);
  });
});

describe('a standing no', () => {
  test('refuses the same again in every session, without a question, until it is revoked', async () => {
    await answered(deed('comment', 'acme/app'), { code: '3', always: true });
    const again = () => fixture.gate.admit(deed('comment', 'acme/app', { id: 2, session: 'sess_2' }));
    expect(await again()).toMatchObject({
      kind: 'deny',
      violation: 'ApprovalDenied',
      reason: expect.stringContaining('`operator` said no to this until further notice'),
    });
    expect(await asks(deed('open an issue', 'acme/app'))).toBe(true);
    const [grant] = (await fixture.grants.list({})).items;
    expect(grant).toMatchObject({ answer: 'no', scope: 'always', uses: 1 });
    await fixture.grants.revoke(grant?.id ?? '', { kind: 'operator', via: 'test' });
    expect(await asks(deed('comment', 'acme/app'))).toBe(true);
  });

  test('is not offered for what is asked each time', async () => {
    const caller = new AbortController();
    const verdict = fixture.gate.admit(forcePush(), { signal: caller.signal });
    const { id } = await fixture.question();
    expect(await fixture.open.decisions.fromOperator(id, { code: '3', always: true })).toMatchObject({
      kind: 'refused',
    });
    caller.abort();
    await verdict;
  });
});

test('what several people decide has no standing answer, and none is offered', async () => {
  fixture.setPolicy({ ...CONFIG, network, approvals: { quorum: { types: ['custom:http'], of: 2 } } });
  const caller = new AbortController();
  const verdict = fixture.gate.admit(deed('comment', 'acme/app'), { signal: caller.signal });
  const asked = await fixture.question();
  expect(asked).toMatchObject({ quorum: 2, covers: {} });
  expect(asked.offer).toBeUndefined();
  caller.abort();
  await verdict;
});

test('[GA-11] grants of an earlier version cover nothing, also where their row was brought back to life', async () => {
  const { store, clock } = fixture;
  const covers = {
    kind: 'scope',
    type: 'custom:http',
    effect: 'write',
    target: { kind: 'host', host: 'api.github.com', port: 443 },
    credential: null,
  };
  await store.db
    .insertInto('grants')
    .values({
      id: 'grant_old',
      tenant: 'default',
      agent: 'dev',
      client: null,
      covers: JSON.stringify(covers),
      answer: 'yes',
      scope: 'always',
      session: null,
      expires_at: null,
      created_at: clock.now(),
      created_by: 'ana',
      approval_id: null,
      uses: 0,
      ended_at: null,
      end_reason: null,
    })
    .execute();
  expect(await asks(deed('comment', 'acme/app'))).toBe(true);
});
