import { type FSWatcher, lstatSync, watch } from 'node:fs';
import {
  type Folder,
  isUnreadable,
  list,
  lookInto,
  mayMatter,
  type Place,
  renameUnreadable,
} from './guarded-folder.ts';
import { freezeJail, isSpaceAlive, spaceOf } from './jail-processes.ts';
import { hold, judgePlace } from './judge-place.ts';
import { type TakenBack, takeBack } from './take-back.ts';
import { isWatched, type WorkspaceBefore } from './workspace-before.ts';

/** How often what is known is looked at, in ms: a file has names that nobody watches, and memory that is mapped tells nobody. */
const LOOK_MS = 40;
/** What changed is read again for so long, in ms: the kernel tells of mapped memory only after it wrote it to disk. */
const HOT_MS = 60_000;
/** Folders that are watched before the agent starts; the rest while it does. */
const AT_ONCE = 300;
const WATCHED_AT_MOST = 100_000;
/** An agent that plants more often than this, in so many ms, waits so long each time. */
const OFTEN = { times: 10, withinMs: 5_000, waitMs: 250 } as const;

/** A process that waits for a disk does not die of anything. */
const GONE_MS = 3_000;

interface Known extends Place {
  stamp: string;
  hotUntil: number;
}

/** What guards the workspace of a jail. */
export interface Guard {
  /** The agent runs from now on. */
  begin(launcher: number): void;
  /** Once nothing of the jail is alive: looks at every place, and says what was taken back in all. */
  settle(): Promise<readonly TakenBack[]>;
}

/**
 * Guards a workspace while a jailed agent works in it: what is planted where it would run later is put back at once, with the
 * whole jail stopped meanwhile, and again when the agent has ended. Nothing planted runs outside [JA-7].
 */
export class WorkspaceGuard implements Guard {
  readonly #before: WorkspaceBefore;
  readonly #keepIn: string;
  readonly #watchers = new Map<string, FSWatcher>();
  readonly #roles = new Map<string, Folder>();
  readonly #known = new Map<string, Known>();
  readonly #taken = new Map<string, TakenBack>();
  readonly #times: number[] = [];
  #launcher: number | undefined;
  /** the namespace of its processes, once it is known */
  #space: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #thaw: (() => void) | undefined;
  #isOver = false;

  constructor(before: WorkspaceBefore, keepIn: string, atOnce = AT_ONCE) {
    this.#before = before;
    this.#keepIn = keepIn;
    for (const place of before.places.values()) this.#remember(place, 0);
    for (const folder of before.folders.splice(0, atOnce)) this.#watch(folder);
  }

  begin(launcher: number): void {
    this.#launcher = launcher;
    this.#watchRest();
    this.#timer = setInterval(() => this.#lookAgain(), LOOK_MS).unref();
  }

  async settle(): Promise<readonly TakenBack[]> {
    await this.#whenGone();
    return this.#end();
  }

  /** Waits until nothing of the jail is alive: its launcher may be gone a moment earlier. */
  async #whenGone(): Promise<void> {
    for (let waited = 0; waited < GONE_MS && this.#space !== undefined; waited += 5) {
      if (!isSpaceAlive(this.#space)) return;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  #end(): readonly TakenBack[] {
    this.#isOver = true;
    clearInterval(this.#timer);
    this.#thaw?.();
    for (const watcher of this.#watchers.values()) watcher.close();
    this.#watchers.clear();
    const queue: Folder[] = this.#before.roots.map((path) => ({ path, role: 'plain' }));
    for (let folder = queue.pop(); folder !== undefined; folder = queue.pop()) {
      this.#rename(folder);
      const { places, folders } = lookInto(folder);
      for (const place of places) this.#settle(place);
      queue.push(...folders);
    }
    for (const place of this.#before.more.values()) this.#settle(place);
    return [...this.#taken.values()];
  }

  #watchRest(): void {
    const next = this.#before.folders.splice(0, AT_ONCE);
    // Looked at as well: the agent may have been there before.
    for (const folder of next) this.#enter(folder);
    if (next.length > 0 && !this.#isOver) setImmediate(() => this.#watchRest());
  }

  #watch(folder: Folder): void {
    this.#roles.set(folder.path, folder);
    if (this.#watchers.has(folder.path) || this.#watchers.size >= WATCHED_AT_MOST) return;
    try {
      const watcher = watch(folder.path, { persistent: false }, (event, name) =>
        this.#onEvent(folder.path, event, name),
      );
      watcher.on('error', () => this.#forget(folder.path));
      this.#watchers.set(folder.path, watcher);
    } catch {
      // Too many for this machine, or gone: looked at when the agent has ended.
    }
  }

  #forget(path: string): void {
    this.#watchers.get(path)?.close();
    this.#watchers.delete(path);
    this.#roles.delete(path);
  }

  #onEvent(path: string, event: string, name: string | null): void {
    if (this.#isOver) return;
    const folder = this.#roles.get(path);
    if (folder === undefined) return;
    const own = path.slice(path.lastIndexOf('/') + 1);
    if (name === null || mayMatter(name, own, folder.role)) this.#check(folder);
    else if (event !== 'rename') return;
    else if (name === own && stampOf(path) === '') this.#forget(path);
    else if (isFolder(`${path}/${name}`)) this.#check(folder, `${path}/${name}`);
  }

  /** Looks at a folder, and goes into what is new in it; `only`: into that one. */
  #check(folder: Folder, only?: string): void {
    const entries = list(folder.path);
    // SECURITY: what is in such a folder cannot be looked at by any name that we have.
    if (entries.some((entry) => isUnreadable(entry))) this.#stop(() => this.#rename(folder));
    const { places, folders } = lookInto(folder);
    if (places.some((place) => this.#isPlanted(place))) this.#stopAndSettle(folder);
    for (const place of places) this.#remember(place, Date.now() + HOT_MS);
    for (const below of folders) {
      if (only !== undefined && below.path !== only) continue;
      const known = this.#roles.get(below.path);
      if (only !== undefined || known === undefined || known.role !== below.role) this.#enter(below);
    }
  }

  #enter(folder: Folder): void {
    if (!isWatched(folder) || this.#isOver) return;
    this.#watch(folder);
    this.#check(folder);
  }

  /** Files that are known already: by their names, and through any other name they have. */
  #lookAgain(): void {
    const now = Date.now();
    if (this.#launcher !== undefined) this.#space ??= spaceOf(this.#launcher);
    for (const known of this.#known.values()) {
      const stamp = stampOf(known.path);
      if (stamp !== known.stamp) known.hotUntil = now + HOT_MS;
      known.stamp = stamp;
      if (now >= known.hotUntil || stamp === '' || !this.#isPlanted(known)) continue;
      this.#stop(() => this.#settle(known));
      known.stamp = stampOf(known.path);
    }
  }

  #remember({ path, kind }: Place, hotUntil: number): void {
    if (this.#known.has(path) || !isWatched({ path, role: 'plain' })) return;
    this.#known.set(path, { path, kind, stamp: stampOf(path), hotUntil });
  }

  #isPlanted(place: Place): boolean {
    // A rebase of the agent's own may run programs while it lasts.
    if (place.kind === 'git-todo') return false;
    const now = hold(place.path);
    return now !== undefined && this.#judge(place, now) !== undefined;
  }

  #judge(place: Place, now: NonNullable<ReturnType<typeof hold>>): ReturnType<typeof judgePlace> {
    if (this.#before.hasElsewhere(place, now)) return undefined;
    return judgePlace(place, now, this.#before.places.get(place.path)?.was, this.#before.roots);
  }

  #rename({ path }: Folder): void {
    try {
      for (const renamed of renameUnreadable(path))
        this.#taken.set(renamed, {
          ...{ path: renamed, why: 'a folder whose name was no text: renamed', kept: undefined, times: 1 },
        });
    } catch {
      // It moved: the look at the end tells.
    }
  }

  #stopAndSettle(folder: Folder): void {
    this.#stop(() => {
      for (const place of lookInto(folder).places) if (place.kind !== 'git-todo') this.#settle(place);
    });
  }

  /** Does something while nothing of the jail runs. */
  #stop(act: () => void): void {
    if (this.#launcher === undefined || this.#thaw !== undefined) {
      act();
      return;
    }
    const thaw = freezeJail(this.#launcher);
    try {
      act();
    } finally {
      const since = Date.now() - OFTEN.withinMs;
      this.#times.push(Date.now());
      while ((this.#times[0] ?? Infinity) < since) this.#times.shift();
      if (this.#times.length <= OFTEN.times) thaw();
      else {
        this.#thaw = () => {
          this.#thaw = undefined;
          thaw();
        };
        setTimeout(() => this.#thaw?.(), OFTEN.waitMs);
      }
    }
  }

  #settle(place: Place): void {
    try {
      const now = hold(place.path);
      const planted = now === undefined ? undefined : this.#judge(place, now);
      if (now === undefined || planted === undefined) return;
      const kept = takeBack(place.path, now, planted, this.#keepIn);
      const earlier = this.#taken.get(place.path);
      this.#taken.set(place.path, {
        ...{ path: place.path, why: planted.why, kept: kept ?? earlier?.kept },
        times: (earlier?.times ?? 0) + 1,
      });
    } catch {
      // A disk that is full, or a folder that moved: the look at the end tells.
      if (this.#isOver)
        this.#taken.set(place.path, {
          path: place.path,
          why: 'COULD NOT BE TAKEN BACK',
          kept: undefined,
          times: 1,
        });
    }
  }
}

/** What of a file changes when it is written, by whatever name; empty where there is none. */
function stampOf(path: string): string {
  try {
    const { ino, size, mtimeMs, ctimeMs, mode } = lstatSync(path);
    return `${ino}:${size}:${mtimeMs}:${ctimeMs}:${mode}`;
  } catch {
    return '';
  }
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}
