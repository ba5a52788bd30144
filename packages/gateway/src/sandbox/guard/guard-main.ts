/** The process that guards a workspace on a disk that may hang: told by messages, ended with the run. */
import { assertNever } from '../../shared/assert-never.ts';
import { type GuardMessage, heldAgain } from './distant-guard.ts';
import { WorkspaceGuard } from './workspace-guard.ts';

let guard: WorkspaceGuard | undefined;

process.on('message', (message: GuardMessage) => void take(message));
process.on('disconnect', () => process.exit(0));
// The terminal's signals are for the run, which ends this process.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.on(signal, () => undefined);

async function take(message: GuardMessage): Promise<void> {
  switch (message.kind) {
    case 'open':
      // The agent may have been there before us: every folder is looked at, not only watched.
      guard = new WorkspaceGuard(heldAgain(message.before), message.keepIn, 0);
      return;
    case 'begin':
      guard?.begin(message.launcher);
      return;
    case 'settle':
      process.send?.(await guard?.settle());
      return;
    default:
      assertNever(message);
  }
}
