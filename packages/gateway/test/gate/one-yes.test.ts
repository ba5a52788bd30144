import type { Action } from '@sallyport/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { type ActionBuilder, loadActionBuilders } from '../../src/actions/index.ts';
import { policyOf, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { type Grant, grantCovers } from '../../src/gate/grants/grant.ts';
import { offerGrant } from '../../src/gate/grants/offer-grant.ts';
import { askedOf, judge } from '../../src/gate/index.ts';
import { type Asked, PAIRS } from './one-yes.ts';

const SNAPSHOT = snapshotOf(
  policyOf({ agents: { dev: { permissions: ['allow:*'] } }, network: { default: 'ask', rules: [] } }),
);

let builder: ActionBuilder;
beforeAll(async () => {
  builder = (await loadActionBuilders())();
});

function build(asked: Asked): Action {
  const actor = {
    tenant: 'default',
    user: 'ana',
    agent: 'dev',
    session: 'sess_1',
    chain: ['dev'],
    confinement: asked.kind === 'line' ? 'unconfined' : 'jailed',
  } as const;
  const context = { actor, cwd: '/repo', home: '/home/ana', links: () => ({ kind: 'plain' }) as const };
  if (asked.kind === 'line')
    return builder.tool({ tool: 'Bash', input: { command: asked.line } }, { ...context, door: 'hook' });
  const [, method = '', host = '', port, target = '/'] =
    /^(\S+) https:\/\/([^/:]+)(?::(\d+))?(\/.*)$/.exec(asked.request) ?? [];
  const body = asked.body === undefined ? undefined : new TextEncoder().encode(asked.body);
  const head = {
    scheme: 'https',
    host,
    port: Number(port ?? 443),
    method,
    target,
    headers: asked.headers,
    ...(body === undefined ? {} : { bodyPrefix: body }),
    bodyComplete: true,
  } as const;
  return builder.http(head, {}, { ...context, door: 'proxy', credential: 'c' }).action;
}

/** Whether a yes for good to the one lets the other pass; both must be questions, or the row shows nothing. */
function opens(yes: Asked, other: Asked): boolean {
  const given = build(yes);
  const asked = judge(given, SNAPSHOT);
  if (asked.outcome !== 'ask' || asked.strength === 'each-time')
    throw new Error('no standing answer is offered');
  const next = build(other);
  const question = judge(next, SNAPSHOT);
  if (question.outcome !== 'ask') throw new Error('nobody is asked');
  // Nothing answers what is asked each time.
  if (question.strength === 'each-time') return false;
  const grant: Grant = {
    id: 'grant_1',
    tenant: 'default',
    agent: 'dev',
    answer: 'yes',
    scope: 'always',
    createdAt: 0,
    createdBy: 'ana',
    uses: 0,
    covers: offerGrant(given, asked),
  };
  return grantCovers(grant, askedOf(next, question), 1_000);
}

describe('[GA-11] a yes to one thing is none to another that looks like it', () => {
  test.each(PAIRS)('$why', ({ yes, other }) => {
    expect(opens(yes, yes)).toBe(true);
    expect(opens(yes, other)).toBe(false);
  });
});
