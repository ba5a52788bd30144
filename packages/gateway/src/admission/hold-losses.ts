import type { Action } from '@sallyport/protocol';
import type { Sessions } from '../identity/index.ts';
import { lineOf } from '../targets/index.ts';
import type { SessionHolds } from '../workspace/index.ts';

/** Whether a snapshot, taken now, holds all that an action of a session with a workspace would destroy. */
export async function holdLosses(
  { actor, target }: Action,
  sessions: Pick<Sessions, 'peek'>,
  holds: Pick<SessionHolds, 'holdBefore'>,
): Promise<boolean> {
  const session = actor.session === undefined ? undefined : sessions.peek(actor.session);
  if (session?.workspace === undefined) return false;
  const { id, tenant, agent, workspace } = session;
  const losses = (lineOf(target)?.commands ?? []).flatMap(({ loses }) => loses ?? []);
  const held = await holds.holdBefore(
    { id, tenant, agent, workspace },
    {
      paths: losses.flatMap(({ paths }) => paths),
      repositories: losses.flatMap(({ repositories }) => repositories),
    },
  );
  return held.kind === 'held';
}

/**
 * Holds the workspace of a session without a jail from its first action on, beside it: what a client's own tools write over is
 * brought back too. `sallyport run` holds what it starts by itself.
 */
export function followWorkspace(
  { actor }: Action,
  sessions: Pick<Sessions, 'peek'>,
  holds: Pick<SessionHolds, 'follow'>,
): void {
  if (actor.confinement === 'jailed' || actor.session === undefined) return;
  const session = sessions.peek(actor.session);
  if (session?.workspace === undefined) return;
  const { id, tenant, agent, workspace } = session;
  void holds.follow({ id, tenant, agent, workspace });
}
