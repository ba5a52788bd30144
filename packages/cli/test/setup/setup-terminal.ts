import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type TempDir, tempDir } from '@sallyport/testkit';
import { Terminal } from '../approvals/tmux.ts';

const BIN = fileURLToPath(new URL('../../bin/sallyport.js', import.meta.url));

/** A person with an empty home and one agent in the path, who runs the wizard. */
export class SetupPerson implements AsyncDisposable {
  readonly home: string;
  readonly gatewayHome: string;
  readonly #dir: TempDir;

  private constructor(dir: TempDir) {
    this.#dir = dir;
    this.home = join(dir.path, 'person');
    this.gatewayHome = join(this.home, '.sallyport');
  }

  static async move(): Promise<SetupPerson> {
    const person = new SetupPerson(await tempDir());
    const bin = join(person.home, 'bin');
    await mkdir(bin, { recursive: true });
    await mkdir(join(person.home, 'tmp'));
    await writeFile(join(bin, 'claude'), '#!/bin/sh\n');
    await chmod(join(bin, 'claude'), 0o755);
    return person;
  }

  get env(): Record<string, string> {
    const path = `${join(this.home, 'bin')}:/usr/bin:/bin`;
    // Its own folder for what is temporary: what is left behind is seen.
    return { HOME: this.home, PATH: path, SHELL: '/bin/bash', TMPDIR: join(this.home, 'tmp'), NO_COLOR: '1' };
  }

  run(
    argv: string,
    env: Readonly<Record<string, string>> = {},
    size?: { readonly columns: number; readonly rows: number },
  ): Promise<Terminal> {
    // A bare environment: what this machine has in its own is not the person's.
    const settings = Object.entries({ TERM: 'xterm-256color', ...this.env, ...env })
      .map(([name, value]) => `${name}='${value}'`)
      .join(' ');
    // The code is printed: the terminal does not always know it when the program has just ended.
    const command = `env -i ${settings} ${process.execPath} ${BIN} setup ${argv}`;
    return Terminal.open(`sh -c "${command}; echo ended with \\$?; exec sleep 600"`, {}, size);
  }

  read(path: string): string {
    return readFileSync(join(this.home, path), 'utf8');
  }

  /** Everything below the person's home but what they had. */
  files(): readonly string[] {
    return readdirSync(this.home, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(this.home.length + 1))
      .filter((file) => file !== 'bin/claude' && !file.startsWith('.cache/'))
      .toSorted();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#dir.remove();
  }
}
