import { type Dirent, realpathSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { isInside } from '../../shared/is-inside.ts';
import { includesOf } from './git-config.ts';
import { type Folder, isRebuilt, list, lookInto, type Place, type Role } from './guarded-folder.ts';
import { type Held, hold } from './judge-place.ts';

/** So many places are held; what a tree has more of is guarded by its size and time alone. */
const HELD_AT_MOST = 5_000;

/** A place with what stood there. */
export interface HeldPlace extends Place {
  readonly was: Held;
}

/**
 * What stood in the guarded places of a workspace before the agent came. Gathered by the walk that every jail begins with,
 * because one more through a large project would cost as much again.
 */
export class WorkspaceBefore {
  /** writable for the agent, real */
  readonly roots: readonly string[];
  readonly places = new Map<string, HeldPlace>();
  /** by path; kinds that do not follow from the name: what a config includes, what `.envrc` sources */
  readonly more = new Map<string, Place>();
  /** folders to watch */
  readonly folders: Folder[] = [];
  /** folders of hooks that are there */
  readonly hooks: string[] = [];
  readonly #roles = new Map<string, Role>();

  constructor(roots: readonly string[]) {
    this.roots = roots;
  }

  /** Told of each folder and its entries, parents first. */
  visit(path: string, entries: readonly Dirent[]): void {
    if (!this.roots.some((root) => isInside(path, root))) return;
    const role = this.#roles.get(path) ?? 'plain';
    this.#roles.delete(path);
    const { places, folders } = lookInto({ path, role }, entries);
    for (const folder of folders) if (folder.role !== 'plain') this.#roles.set(folder.path, folder.role);
    for (const place of places) this.#add(place);
    if (role === 'git-hooks' && !isRebuilt(path)) this.hooks.push(path);
    if (isWatched({ path, role })) this.folders.push({ path, role });
  }

  /**
   * Whether a person's own file of that name held the same before: a second work tree has what the first one has. Not for
   * configs of git, where what counts is which repository they are of.
   */
  hasElsewhere({ path, kind }: Place, now: Held): boolean {
    if (now.kind !== 'file' || kind !== 'settings') return false;
    const own = path.slice(path.lastIndexOf('/'));
    return this.places.values().some(({ path: other, was }) => {
      return other.endsWith(own) && was.kind === 'file' && was.bytes.equals(now.bytes);
    });
  }

  #add(place: Place): void {
    if (this.places.has(place.path)) return;
    const held = this.places.size < HELD_AT_MOST ? hold(place.path) : undefined;
    if (held === undefined) return;
    this.places.set(place.path, { ...place, was: held });
    if (held.kind === 'link') this.#followLink(place);
    if (held.kind !== 'file') return;
    const text = held.bytes.toString('latin1');
    if (place.kind === 'git-config')
      for (const path of includesOf(text)) this.#addMore(place.path, path, 'git-config');
    if (place.path.endsWith('/.envrc'))
      for (const path of sourcedBy(text)) this.#addMore(place.path, path, 'settings');
  }

  #addMore(from: string, to: string, kind: Place['kind']): void {
    const path = resolve(dirname(from), to);
    if (this.more.has(path) || !this.roots.some((root) => isInside(path, root))) return;
    this.more.set(path, { path, kind });
    this.#add({ path, kind });
  }

  /** A person's own link leads to what counts; a folder of settings that lies elsewhere is one all the same. */
  #followLink({ path, kind }: Place): void {
    let real: string;
    try {
      real = realpathSync(path);
      if (!this.roots.some((root) => isInside(real, root)) || isInside(path, real)) return;
      if (!statSync(real).isDirectory()) {
        this.#addMore(path, real, kind);
        return;
      }
    } catch {
      return;
    }
    // A repository is known by its parts, wherever it lies.
    if (kind !== 'settings') return;
    for (const entry of list(real)) if (entry.isFile()) this.#addMore(path, `${real}/${entry.name}`, kind);
  }
}

/** Whether a folder is looked at while the agent works, not only when it has ended. */
export function isWatched({ path, role }: Folder): boolean {
  return role !== 'git-objects' && !isRebuilt(path);
}

const SOURCES =
  /^[ \t]*(?:\.|source|source_env|source_env_if_exists|dotenv|dotenv_if_exists|watch_file)[ \t]+["']?([^"'#;&|$`\s]+)/gm;

/** Files that direnv runs with an `.envrc`, and does not ask about again when they change. */
function sourcedBy(text: string): readonly string[] {
  return [...text.matchAll(SOURCES)].map(([, path = '']) => path);
}
