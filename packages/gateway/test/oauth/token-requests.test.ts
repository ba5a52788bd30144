import { createHash, createSecretKey } from 'node:crypto';
import { join } from 'node:path';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { MemoryCoordination } from '../../src/coordination/index.ts';
import { ClientIds } from '../../src/doors/mcp/oauth/client-ids.ts';
import { Codes } from '../../src/doors/mcp/oauth/codes.ts';
import { Families } from '../../src/doors/mcp/oauth/families.ts';
import type { OAuthParts } from '../../src/doors/mcp/oauth/oauth-parts.ts';
import { TokenRequests } from '../../src/doors/mcp/oauth/token-requests.ts';
import type { Sessions } from '../../src/identity/index.ts';
import { openStore, type Store } from '../../src/store/index.ts';
import { IdentityFixture, OPERATOR, outcome, request } from '../identity/identity-fixture.ts';

const RESOURCE = 'http://127.0.0.1:7180/mcp';
const CALLBACK = 'http://127.0.0.1:4711/callback';
const VERIFIER = 'v'.repeat(43);
const key = createSecretKey(Buffer.alloc(32, 1));
const client = new ClientIds(key).issue('Test Program', [CALLBACK]);

let dir: TempDir;
let store: Store;
let world: IdentityFixture;
let here: Sessions;
let there: Sessions;
let codes: Codes;
let tokens: TokenRequests;

beforeEach(async () => {
  dir = await tempDir();
  store = await openStore({ sqliteFile: join(dir.path, 'sallyport.db') });
  world = new IdentityFixture(store);
  [here, there] = [await world.gateway(), await world.gateway()];
  const parts: OAuthParts = {
    ...{ sessions: here, trail: world.trail, clock: world.clock, key, tenant: 'red' },
    coordination: new MemoryCoordination(world.clock),
    gate: { decide: () => Promise.reject(new Error('nobody is asked here')) },
    principalOf: () => undefined,
    credentialsOf: () => [],
    stopping: new AbortController().signal,
    onProblem: () => {},
  };
  codes = new Codes(world.clock);
  tokens = new TokenRequests(parts, codes, new Families(here, world.clock));
});
afterEach(async () => {
  await world.reset();
  await store.close();
  await dir.remove();
});

/** The form of a code that a person's yes gave, and the session behind it. */
async function grant() {
  const opened = await here.open(request({ agent: 'main', confinement: 'unconfined' }));
  const challenge = createHash('sha256').update(VERIFIER).digest('base64url');
  const asked = { client, redirectUri: CALLBACK, issuer: '', resource: RESOURCE, challenge };
  const code = codes.issue({
    request: { ...asked, state: undefined, agent: undefined },
    principal: { tenant: 'red', user: 'ana', agent: 'main' },
    opened,
    approval: undefined,
  });
  const form = { code: code?.reveal() ?? '', redirect_uri: CALLBACK, code_verifier: VERIFIER };
  return { form: new Map(Object.entries(form)), session: opened.session, token: opened.token.reveal() };
}

async function redeemed(form: ReadonlyMap<string, string>) {
  const answer = await tokens.redeemCode(form, client);
  if (answer.kind !== 'tokens') throw new Error('no tokens');
  return new Map([['refresh_token', answer.refresh.reveal()]]);
}

test.each([
  { advance: 0, why: 'while it would be alive' },
  { advance: 3_700_000, why: 'after its time' },
])(
  '[ID-3] a session that another gateway of the same store ended gives no other one $why',
  async ({ advance }) => {
    const { form, session } = await grant();
    const refresh = await redeemed(form);
    await there.end(session.id, 'enough', OPERATOR);
    world.clock.advance(advance);
    expect(await tokens.refresh(refresh, client)).toMatchObject({ body: { error: 'invalid_grant' } });
    expect((await here.list('red', {}, true)).items).toEqual([]);
  },
);

test('[TR-5] a token that cannot be recorded is not given, and its session ends', async () => {
  const { form, session, token } = await grant();
  world.trail.broken = true;
  expect(await outcome(tokens.redeemCode(form, client))).toMatchObject({ code: 'AuditUnavailable' });
  expect(here.peek(session.id)).toBeUndefined();
  world.trail.broken = false;
  expect(await outcome(here.authenticate(token))).toMatchObject({ code: 'NotAuthenticated' });
});

test('a refresh that fails for a while spends nothing: the same token works later', async () => {
  const { form } = await grant();
  const refresh = await redeemed(form);
  world.trail.broken = true;
  expect(await outcome(tokens.refresh(refresh, client))).toMatchObject({ code: 'AuditUnavailable' });
  world.trail.broken = false;
  expect((await tokens.refresh(refresh, client)).kind).toBe('tokens');
});

test('[ID-5] who may not use the agent any more gets no other session', async () => {
  const { form } = await grant();
  const refresh = await redeemed(form);
  world.change('red', { users: { ana: { roles: ['viewer'] } } });
  expect(await tokens.refresh(refresh, client)).toMatchObject({ body: { error: 'invalid_grant' } });
  world.clock.advance(3_700_000);
  expect(await tokens.refresh(refresh, client)).toMatchObject({ body: { error: 'invalid_grant' } });
});
