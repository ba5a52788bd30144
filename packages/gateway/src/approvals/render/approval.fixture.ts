import type { Approval } from '../approval.ts';

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
    },
    covers: {
      session:
        'every write of type `vcs:push` by `dev` to github.com/acme/app on branch `main`, in this session',
      minutes: 'every write of type `vcs:push` by `dev` to github.com/acme/app on branch `main`',
      always:
        'every write of type `vcs:push` by `dev` to github.com/acme/app on branch `main`, until someone revokes it',
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
