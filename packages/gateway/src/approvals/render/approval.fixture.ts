import type { Approval } from '../approval/approval.ts';

const PUSH =
  '`git push` on github.com/acme/app main, by `dev`, with the credential `github-bot`, at risk high or lower';

/** A plain question of an agent; tests change what they are about. */
export function approvalFixture(over: Partial<Approval> = {}): Approval {
  const createdAt = Date.parse('2026-01-01T00:00:00.000Z');
  return {
    id: 'appr_01hzy3v8k2m4n6p8q0r2s4t6v8',
    status: 'pending',
    createdAt,
    expiresAt: createdAt + 3_600_000,
    agreed: [],
    tenant: 'default',
    actionId: 'act_01hzy3v8k2m4n6p8q0r2s4t6v8',
    binding: 'b'.repeat(64),
    fingerprint: 'f'.repeat(64),
    actor: {
      tenant: 'default',
      user: 'ana',
      agent: 'dev',
      session: 'sess_01hzy3v8k2m4n6p8q0r2s4t6v8',
      chain: ['lead', 'dev'],
      confinement: 'unconfined',
    },
    door: 'hook',
    tool: 'Bash',
    type: 'vcs:push',
    effect: 'write',
    risk: 'high',
    strength: 'human',
    title: 'git push origin main',
    preview: 'cd app\ngit push origin main',
    reason: {
      layer: 'rules',
      reason: 'a push is asked for',
      rule: 'ask Bash(git push*)',
      at: { file: 'sallyport.yaml', line: 12, column: 7 },
      also: [{ layer: 'mode', reason: 'a remote write that no exception covers' }],
    },
    does: '`git push` on github.com/acme/app main',
    covers: {
      session: `${PUSH}, in this session`,
      minutes: PUSH,
      always: `${PUSH}, until someone revokes it`,
      what: '`git push` on github.com/acme/app main',
    },
    selfDeclared: false,
    credential: 'github-bot',
    policyRevision: 'rev-1',
    quorum: 1,
    blocked: true,
    expiresInMs: 3_600_000,
    ...over,
  };
}
