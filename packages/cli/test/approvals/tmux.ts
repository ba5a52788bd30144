import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type TempDir, tempDir, waitFor } from '@sallyport/testkit';

const run = promisify(execFile);

/** A real terminal, of 100 by 30 unless told otherwise, in which a program runs. */
export class Terminal implements AsyncDisposable {
  readonly #dir: TempDir;

  private constructor(dir: TempDir) {
    this.#dir = dir;
  }

  static async open(
    command: string,
    env: Readonly<Record<string, string>>,
    size: { readonly columns: number; readonly rows: number } = { columns: 100, rows: 30 },
  ): Promise<Terminal> {
    const terminal = new Terminal(await tempDir());
    const settings = Object.entries(env).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    await terminal.#tmux(
      '-f',
      '/dev/null',
      'new-session',
      '-d',
      '-x',
      String(size.columns),
      '-y',
      String(size.rows),
      ...settings,
      command,
    );
    await terminal.#tmux('set-option', '-g', 'remain-on-exit', 'on');
    return terminal;
  }

  async screen(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p')).trimEnd();
  }

  /** Something that tmux knows of it: `#{pane_title}`. */
  async format(format: string): Promise<string> {
    return (await this.#tmux('display-message', '-p', format)).trimEnd();
  }

  /** The screen once it shows what is waited for. */
  async shows(pattern: RegExp): Promise<string> {
    return waitFor(`the screen to show ${pattern}`, async () => {
      const screen = await this.screen();
      if (!pattern.test(screen)) throw new Error(`the screen does not show ${pattern}:\n${screen}`);
      return screen;
    });
  }

  /** What scrolled by, too. */
  async history(): Promise<string> {
    return (await this.#tmux('capture-pane', '-p', '-S', '-1000')).trimEnd();
  }

  /** Types a text as it is, and nothing behind it. */
  async type(text: string): Promise<void> {
    await this.#tmux('send-keys', '-l', text);
  }

  async press(...keys: readonly string[]): Promise<void> {
    await this.#tmux('send-keys', ...keys);
  }

  /** Presses the key again and again until the screen shows what is waited for. */
  async pressUntil(key: string, pattern: RegExp): Promise<string> {
    return waitFor(
      `the screen to show ${pattern} after \`${key}\``,
      async () => {
        const screen = await this.screen();
        if (pattern.test(screen)) return screen;
        await this.press(key);
        throw new Error(`the screen does not show ${pattern}:\n${screen}`);
      },
      { intervalMs: 300 },
    );
  }

  /** The exit code of the program, once it has ended. */
  async ended(): Promise<number> {
    return waitFor('the end of the program', async () => {
      const [dead, code] = (
        await this.#tmux('display-message', '-p', '#{pane_dead} #{pane_dead_status}')
      ).split(' ');
      if (dead !== '1') throw new Error('the program still runs');
      return Number(code);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // The server of this terminal only: it has a socket of its own.
    await this.#tmux('kill-server').catch(() => {});
    await this.#dir.remove();
  }

  async #tmux(...argv: readonly string[]): Promise<string> {
    return (await run('tmux', ['-S', join(this.#dir.path, 'tmux.sock'), ...argv])).stdout;
  }
}
