import type { Actor, Door } from '@sallyport/protocol';
import type { IsExcused } from '../../shared/credential-forms/find-credential.ts';
import type { LinkReader } from '../paths/index.ts';
import type { Workspace } from '../places/index.ts';

/** Who asks, from where, and how the world is looked at while the action is built. */
export interface ActionContext {
  readonly door: Door;
  readonly actor: Actor;
  /** absolute and canonical: the agent's working folder */
  readonly cwd: string;
  /** `cwd` was resolved a moment ago, for this very call */
  readonly isCwdReal?: true;
  /** absolute: the home of whoever will run it */
  readonly home: string;
  /** what of this machine is the session's own, where no jail says it; absent: nothing */
  readonly workspace?: Workspace;
  /** NAME of the credential that will be lent */
  readonly credential?: string;
  /** a rehearsal: nothing will be sent, and what a session would be lent is taken for granted */
  readonly isRehearsal?: true;
  /** whether what looks like a credential of the agent's own was lent to it, or handed to it by a host */
  readonly isExcused?: IsExcused;
  readonly foldCase?: boolean;
  readonly links?: LinkReader;
}
