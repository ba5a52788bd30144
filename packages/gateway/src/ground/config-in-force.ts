import { setTimeout as sleep } from 'node:timers/promises';
import type { ConfigState, SallyportError } from '@sallyport/protocol';
import {
  type Config,
  type ConfigCheck,
  type ConfigWatch,
  keysThatNeedRestart,
  type LoadedConfig,
  loadConfig,
  problemsOf,
  type Variables,
  watchConfig,
} from '../config/index.ts';
import type { Clock } from '../shared/clock.ts';
import { Rounds } from '../shared/one-at-a-time.ts';
import type { LivePart } from './live-part.ts';

/** Whoever asks for a reload waits so long for all parts to follow, in ms */
const APPLY_MS = 2_000;

export interface ConfigInForceOptions {
  readonly file: string;
  readonly env: Variables;
  readonly checks: readonly ConfigCheck[];
  readonly clock: Clock;
}

/** What is told about a change that was looked at. */
export interface ConfigListener {
  onReloaded(loaded: LoadedConfig, needsRestart: readonly string[]): void;
  onRejected(error: SallyportError): void;
  /** a part could not be made what the config says: a fault of ours, since parts tell their troubles themselves */
  onPartFailed(error: unknown): void;
}

/** The config that holds now, and what became of the last change. */
export class ConfigInForce {
  readonly #options: ConfigInForceOptions;
  readonly #atStart: Config;
  #current: LoadedConfig;
  #loadedAt: number;
  #rejected: { readonly at: number; readonly error: SallyportError } | undefined;
  #watch: ConfigWatch | undefined;
  #listener: ConfigListener | undefined;
  readonly #parts: { readonly part: LivePart; readonly rounds: Rounds }[] = [];

  /** Throws `ConfigInvalid` when there is no valid config to begin with. */
  constructor(options: ConfigInForceOptions) {
    this.#options = options;
    this.#current = loadConfig(options);
    this.#atStart = this.#current.config;
    this.#loadedAt = options.clock.now();
  }

  get current(): LoadedConfig {
    return this.#current;
  }

  get config(): Config {
    return this.#current.config;
  }

  /** What was read once and runs on until the next start: addresses, the database. */
  get atStart(): Config {
    return this.#atStart;
  }

  /** The keys that a restart would be needed for if this file were the config. Throws `ConfigInvalid`. */
  compare(file: string): readonly string[] {
    return keysThatNeedRestart(this.#atStart, loadConfig({ ...this.#options, file }).config);
  }

  /** From now on this part is made anew with each change. */
  follow(part: LivePart): void {
    this.#parts.push({ part, rounds: new Rounds(() => part.apply()) });
  }

  /** Has every part look at the config now. Resolves when all have. */
  async apply(): Promise<void> {
    const onFailed = (error: unknown): void => this.#listener?.onPartFailed(error);
    await Promise.all(this.#parts.map(({ rounds }) => rounds.run().catch(onFailed)));
  }

  /** Looks at every change from now on. */
  watch(listener: ConfigListener): void {
    this.#listener = listener;
    const watch = watchConfig({
      ...this.#options,
      current: this.#current,
      onLoaded: (loaded) => {
        this.#current = loaded;
        this.#loadedAt = this.#options.clock.now();
        this.#rejected = undefined;
        listener.onReloaded(loaded, this.#needsRestart());
        void this.apply();
      },
      onRejected: (error) => {
        this.#rejected = { at: this.#options.clock.now(), error };
        listener.onRejected(error);
      },
    });
    this.#watch = watch;
    // What changed between the first load and the first look is found by loading once more.
    void watch.ready.then(() => {
      if (this.#watch === watch) watch.reload();
    });
  }

  /**
   * Looks now, also at what the config only names: secrets that have changed. Rejects with the refusal when what is
   * there is not valid; otherwise says whether the config changed.
   */
  async reload(): Promise<boolean> {
    const outcome = this.#watch?.reload() ?? 'same';
    if (outcome !== 'loaded' && this.#rejected !== undefined) throw this.#rejected.error;
    const enough = new AbortController();
    await Promise.race([this.apply(), sleep(APPLY_MS, undefined, { signal: enough.signal }).catch(() => {})]);
    enough.abort();
    return outcome === 'loaded';
  }

  state(): ConfigState {
    const rejected = this.#rejected;
    return {
      revision: this.#current.revision,
      files: [...this.#current.files],
      loaded_at: new Date(this.#loadedAt).toISOString(),
      needs_restart: [...this.#needsRestart()],
      problems: this.#parts.flatMap(({ part }) => part.problems().map((problem) => ({ ...problem }))),
      warnings: this.#current.warnings.map(({ severity, message, hint, path }) => {
        const at = this.#current.at(path);
        return {
          severity,
          message,
          ...(hint === undefined ? {} : { hint }),
          ...(at === undefined ? {} : { at: `${at.file}:${at.line}:${at.column}` }),
        };
      }),
      rejected:
        rejected === undefined
          ? null
          : {
              at: new Date(rejected.at).toISOString(),
              message: rejected.error.message,
              problems: problemsOf(rejected.error).map((problem) => ({
                severity: problem.severity,
                message: problem.message,
                ...(problem.hint === undefined ? {} : { hint: problem.hint }),
                at: `${problem.file}:${problem.line}:${problem.column}`,
              })),
            },
    };
  }

  async close(): Promise<void> {
    const watch = this.#watch;
    this.#watch = undefined;
    await watch?.close();
  }

  #needsRestart(): readonly string[] {
    return keysThatNeedRestart(this.#atStart, this.#current.config);
  }
}
