import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const LOOP = fileURLToPath(new URL('../store/fixtures/foreign-sqlite.ts', import.meta.url));
const READ = 'select count(*) from events';
const IN_PYTHON = `import sqlite3, sys
db = sqlite3.connect(sys.argv[1], timeout=0.2)
db.execute('${READ}').fetchall()
db.close()`;

/** Which programs are installed besides Node. */
export interface Programs {
  readonly sqlite3: boolean;
  readonly python: boolean;
}

/** Other programs that open, read, write, copy and close a database all the time, and are killed now and then themselves. */
export class ForeignPrograms {
  readonly #file: string;
  readonly #folder: string;
  readonly #commands: readonly (readonly string[])[];
  readonly #done: Promise<unknown>;
  readonly #children = new Set<ChildProcess>();
  #isOver = false;
  /** how often one was started */
  started = 0;

  constructor(file: string, folder: string, { sqlite3, python }: Programs) {
    this.#file = file;
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const shell = [READ, '.backup copy.db', "vacuum into 'copy2.db'", 'pragma wal_checkpoint(truncate)'];
    this.#commands = [
      ...(sqlite3 ? shell.map((command) => ['sqlite3', '-cmd', '.timeout 200', file, command]) : []),
      ...(python ? [['python3', '-c', IN_PYTHON, file]] : []),
      ['sh', '-c', `cp "${file}" "${file}-wal" . ; rm -f copy.db copy2.db`],
    ];
    this.#done = Promise.all([this.#loop(), this.#run()]);
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    for (const child of this.#children) child.kill('SIGKILL');
    await this.#done;
  }

  async #loop(): Promise<void> {
    while (!this.#isOver) {
      const child = this.#start([process.execPath, LOOP, this.#file, this.#folder]);
      const closed = once(child, 'close');
      await Promise.race([closed, delay(500 + Math.random() * 4_000)]);
      child.kill('SIGKILL');
      await closed;
    }
  }

  async #run(): Promise<void> {
    for (let n = 0; !this.#isOver; n += 1) {
      await once(this.#start(this.#commands[n % this.#commands.length] ?? []), 'close');
      await delay(20);
    }
  }

  #start([program = '', ...args]: readonly string[]): ChildProcess {
    // What it prints does not matter: it may have found a lock.
    const child = spawn(program, args, { cwd: this.#folder, stdio: 'ignore', timeout: 20_000 });
    this.started += 1;
    this.#children.add(child);
    child.on('error', () => {});
    child.on('close', () => this.#children.delete(child));
    return child;
  }
}
