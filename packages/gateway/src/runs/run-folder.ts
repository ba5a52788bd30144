import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import {
  fitsSocket,
  homeFailure,
  LONGEST_SOCKET_BYTES,
  socketFolder,
  type Variables,
} from '../config/index.ts';

const SESSION = /^sess_[0-9a-z]{26}$/;
/** below the home: of a socket in a session's folder, that of the port 65535 */
const LONGEST_NAME = '/run/sess_'.length + 26 + '/f1ekf'.length;

/** Where the sockets of runs are, one folder for each session. */
export class RunFolders {
  readonly #root: string;

  /** In the home, or where its sockets are when it can have none. */
  constructor(home: string, env: Variables) {
    this.#root = join(socketFolder(home, env, LONGEST_NAME), 'run');
  }

  /** Makes the folder of one session, for its owner alone. Throws `HomeUnusable`. */
  make(session: string): string {
    if (!fitsSocket(dirname(this.#root), LONGEST_NAME)) {
      throw new SallyportError('HomeUnusable', {
        message: `the sockets of a run would have too long a path below \`${this.#root}\``,
        hint: `choose a home of at most ${LONGEST_SOCKET_BYTES - LONGEST_NAME} bytes with SALLYPORT_HOME`,
      });
    }
    const folder = join(this.#root, session);
    try {
      mkdirSync(this.#root, { recursive: true, mode: 0o700 });
      mkdirSync(folder, { mode: 0o700 });
    } catch (error) {
      throw homeFailure(this.#root, error);
    }
    return folder;
  }

  remove(session: string): void {
    rmSync(join(this.#root, session), { recursive: true, force: true });
  }

  /** Removes what a gateway that died left behind. The sessions whose runs these were. */
  clear(): readonly string[] {
    let names: readonly string[];
    try {
      names = readdirSync(this.#root);
    } catch {
      return []; // no run yet
    }
    rmSync(this.#root, { recursive: true, force: true });
    return names.filter((name) => SESSION.test(name));
  }
}
