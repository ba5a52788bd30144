import { dirname, relative, resolve, sep } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { type FSWatcher, watch } from 'chokidar';
import type { LoadedConfig } from './checks/config-check.ts';
import { checkSources, type LoadConfigOptions } from './load-config.ts';
import { matchesSegment } from './source/include-pattern.ts';
import { loadSources } from './source/load-sources.ts';

/** Together well under the second in which a change is to be in force. */
const LOOK_EVERY_MS = 200;
const SETTLE_MS = 100;

export interface WatchConfigOptions extends LoadConfigOptions {
  /** what is in force now: content that is the same does nothing */
  readonly current?: LoadedConfig;
  onLoaded(loaded: LoadedConfig): void;
  /** the old config stays in force; called once for each content that is refused */
  onRejected(error: SallyportError): void;
}

export interface ConfigWatch {
  /** Loads now. `same` when the content is the one that was judged last. */
  reload(): 'loaded' | 'rejected' | 'same';
  /** Resolves once changes are seen. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
}

/**
 * Follows a config: its files, files that editors put in their place, and new ones that an include matches.
 * A change is judged within half a second after the last write.
 */
export function watchConfig(options: WatchConfigOptions): ConfigWatch {
  return new Watch(options);
}

class Watch implements ConfigWatch {
  readonly #options: WatchConfigOptions;
  readonly ready: Promise<void>;
  #patterns: readonly (readonly string[])[] = [];
  #watcher: FSWatcher;
  #timer: NodeJS.Timeout | undefined;
  #judged: string | undefined;
  #closed = false;

  constructor(options: WatchConfigOptions) {
    this.#options = options;
    this.#judged = options.current?.revision;
    this.#patterns = loadSources(options.file, options.env).patterns;
    this.#watcher = this.#start();
    this.ready = new Promise((resolveReady) => {
      this.#watcher.once('ready', () => resolveReady());
    });
  }

  reload(): 'loaded' | 'rejected' | 'same' {
    const { file, env, checks, onLoaded, onRejected } = this.#options;
    const sources = loadSources(file, env);
    this.#follow(sources.patterns);
    // A file that cannot be read has no bytes in the digest, but its problem tells it apart.
    const [problem] = sources.problems.sorted('error', sources.main.shown);
    const judged =
      problem === undefined ? sources.digest.slice(0, 12) : `${sources.digest} ${problem.message}`;
    if (judged === this.#judged) return 'same';
    let loaded: LoadedConfig;
    try {
      loaded = checkSources(sources, checks ?? []);
    } catch (error) {
      if (!(error instanceof SallyportError)) throw error;
      this.#judged = judged;
      onRejected(error);
      return 'rejected';
    }
    this.#judged = judged;
    onLoaded(loaded);
    return 'loaded';
  }

  async close(): Promise<void> {
    this.#closed = true;
    clearTimeout(this.#timer);
    await this.#watcher.close();
  }

  #start(): FSWatcher {
    const main = resolve(this.#options.file);
    const watcher = watch(dirname(main), {
      // Looking is cheap for these few files, sees through swapped links and network disks, and does not
      // wake up for each write to the database beside the config.
      usePolling: true,
      interval: LOOK_EVERY_MS,
      ignoreInitial: true,
      ignored: (path) => !this.#belongs(main, path),
    });
    watcher.on('all', () => this.#soon());
    // A watch that cannot look (a vanished folder) reports through the load that follows.
    watcher.on('error', () => this.#soon());
    return watcher;
  }

  /** Other includes mean other folders to look into. */
  #follow(patterns: readonly (readonly string[])[]): void {
    if (this.#closed || JSON.stringify(patterns) === JSON.stringify(this.#patterns)) return;
    this.#patterns = patterns;
    const old = this.#watcher;
    this.#watcher = this.#start();
    // What changed while the new watch was not looking yet is found by loading once more.
    this.#watcher.once('ready', () => this.#soon());
    void old.close();
  }

  #soon(): void {
    if (this.#closed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.reload(), SETTLE_MS);
  }

  #belongs(main: string, path: string): boolean {
    if (path === main || path === dirname(main)) return true;
    return this.#patterns.some(([folder = '', ...segments]) => {
      // The folders on the way to what a pattern matches belong as well.
      if (`${folder}${sep}`.startsWith(`${path}${sep}`)) return true;
      const steps = relative(folder, path).split(sep);
      if (steps[0] === '..' || steps.length > segments.length) return false;
      return steps.every((step, index) => matchesSegment(segments[index] ?? '', step));
    });
  }
}
