import { describe, expect, test } from 'vitest';
import type { Approval } from '../approval/approval.ts';
import { Deciders } from './deciders.ts';

const MINUTE = 60_000;
const users: Record<string, { roles: string[] }> = {
  ana: { roles: ['owner'] },
  bob: { roles: ['lead'] },
  eve: { roles: ['viewer'] },
};
const roles = {
  owner: { allow: ['approve:*'] },
  lead: { allow: ['approve:vcs'], deny: ['approve:vcs:push'] },
  viewer: { allow: ['agent:*', 'tool:*'] },
};
const identities: Record<string, Record<string, string>> = {
  ana: { email: 'Ana@Example.com', chat: '1' },
  bob: { chat: '2' },
  cem: { chat: '3' },
  dup: { chat: '9' },
  dup2: { chat: '9' },
};
const deciders = (reach: readonly string[] | 'unknown' = []) =>
  new Deciders({
    tenantOf: (tenant) => (tenant === 't' ? { users, roles, agents: new Set() } : undefined),
    identitiesOf: (tenant) => (tenant === 't' ? identities : {}),
    reachOf: () => reach,
  });
// Only what deciding looks at.
const approval = (over: Partial<Approval> = {}) =>
  ({ tenant: 't', type: 'vcs:commit', createdAt: 0, ...over }) as Approval;

describe('[AP-2] who answers', () => {
  test.each([
    { channel: 'chat', identity: '1', user: 'ana', why: 'listed' },
    { channel: 'email', identity: 'ana@example.COM', user: 'ana', why: 'addresses have no case' },
    { channel: 'chat', identity: '4', user: undefined, why: 'not listed' },
    { channel: 'email', identity: '1', user: undefined, why: 'the identity of another channel' },
    { channel: 'chat', identity: '9', user: undefined, why: 'two people claim it' },
    { channel: 'toString', identity: '1', user: undefined, why: 'a name that every object knows' },
    { channel: 'chat', identity: '', user: undefined, why: 'empty' },
  ])('$why: $channel $identity is $user', ({ channel, identity, user }) => {
    expect(deciders().userOf('t', channel, identity)).toBe(user);
    expect(deciders().userOf('other', channel, identity)).toBeUndefined();
  });

  test.each([
    { user: 'ana', type: 'vcs:push', may: true, why: 'a role for everything' },
    { user: 'bob', type: 'vcs:commit', may: true, why: 'a role for the category' },
    { user: 'bob', type: 'vcs:push', may: false, why: 'deny beats allow' },
    { user: 'bob', type: 'deploy:production', may: false, why: 'another type' },
    { user: 'eve', type: 'vcs:commit', may: false, why: 'no right to approve' },
    { user: 'cem', type: 'vcs:commit', may: false, why: 'an identity, but no user' },
    { user: 'toString', type: 'vcs:commit', may: false, why: 'a name that every object knows' },
    { user: 'operator', type: 'vcs:commit', may: false, why: 'the operator token is no user' },
  ] as const)('$why: $user may decide $type: $may', ({ user, type, may }) => {
    expect(deciders().refusal(approval({ type }), user, 0) === undefined).toBe(may);
    expect(deciders().refusal(approval({ type, tenant: 'other' }), user, 0)).toBeDefined();
  });

  test('in a chain, a role decides from its turn on', () => {
    const escalation = [
      { role: 'lead', afterMs: 0 },
      { role: 'owner', afterMs: MINUTE },
    ];
    const asked = approval({ escalation });
    expect(deciders().namesFor(asked, 0)).toEqual(['bob']);
    expect(deciders().refusal(asked, 'ana', MINUTE - 1)).toBe('the role of `ana` is not asked yet');
    expect(deciders().namesFor(asked, MINUTE)).toEqual(['ana', 'bob']);
  });

  test('only people who are known on the channel are asked there', () => {
    expect(deciders().recipients(approval(), 'email', 0)).toEqual([
      { user: 'ana', identity: 'Ana@Example.com' },
    ]);
    expect(deciders().recipients(approval(), 'pigeon', 0)).toEqual([]);
  });
});

describe('[AP-3] a channel is void for a session that could write to it', () => {
  const hosts = ['smtp.example.com', 'imap.example.com'];
  test.each([
    { reach: ['smtp.example.com'], isVoid: true, why: 'the same host' },
    { reach: ['IMAP.example.com.'], isVoid: true, why: 'case and root dot' },
    { reach: ['smtp.example.com:587'], isVoid: true, why: 'a port' },
    { reach: ['*.example.com'], isVoid: true, why: 'a pattern over it' },
    { reach: ['*'], isVoid: true, why: 'everything' },
    { reach: ['example.com'], isVoid: false, why: 'only the parent' },
    { reach: ['api.github.com'], isVoid: false, why: 'another host' },
    { reach: ['notsmtp.example.com.evil.test'], isVoid: false, why: 'a host that only looks alike' },
    { reach: [], isVoid: false, why: 'no credential' },
    { reach: 'unknown' as const, isVoid: true, why: 'nobody knows' },
  ])('$why: $reach is void: $isVoid', async ({ reach, isVoid }) => {
    expect(await deciders(reach).isVoid({ hosts }, approval().actor)).toBe(isVoid);
    expect(await deciders(reach).isVoid({ hosts: [] }, approval().actor)).toBe(false);
  });
});
