import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { homeFailure, type Variables } from '../../config/index.ts';

/** `sun_path` holds 108 bytes on Linux, 104 on macOS, the closing zero included */
const LONGEST_BYTES = process.platform === 'darwin' ? 103 : 107;
const SESSION = /^sess_[0-9a-z]{26}$/;
const LONGEST_SESSION = 'sess_'.length + 26;
/** of a socket in a session's folder: that of the port 65535 */
const LONGEST_NAME = '/f1ekf'.length;

/** Where the sockets of runs are, one folder for each session. */
export class RunFolders {
  readonly #root: string;

  /**
   * In the home, or, where a socket's path would be too long, in a folder under `XDG_RUNTIME_DIR` named after the
   * home. Never under `/tmp`, where another user could be first.
   */
  constructor(home: string, env: Variables) {
    const inHome = join(home, 'run');
    const runtime = env.XDG_RUNTIME_DIR;
    const name = createHash('sha256').update(home).digest('hex').slice(0, 12);
    this.#root =
      fits(inHome) || runtime?.startsWith('/') !== true ? inHome : join(runtime, `sallyport-${name}`, 'run');
  }

  /** Makes the folder of one session, for its owner alone. Throws `HomeUnusable`. */
  make(session: string): string {
    if (!fits(this.#root)) {
      throw new SallyportError('HomeUnusable', {
        message: `the sockets of a run would have too long a path below \`${this.#root}\``,
        hint: `choose a home of at most ${LONGEST_BYTES - '/run/'.length - LONGEST_SESSION - LONGEST_NAME} bytes with SALLYPORT_HOME`,
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

/** Whether the path of a socket in a session's folder is short enough. */
function fits(root: string): boolean {
  return Buffer.byteLength(root) + 1 + LONGEST_SESSION + LONGEST_NAME <= LONGEST_BYTES;
}
