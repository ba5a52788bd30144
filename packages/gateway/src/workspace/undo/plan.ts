import { createHash } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol/error';
import { ancestorsOf, type Entry, isSame, keyOf, parentOf, type Tree } from '../tree/entry.ts';
import type { Bytes } from '../tree/held-folder.ts';
import { gitFolders, meansTheSame, type ReadContent, readGitState } from './git-state.ts';
import { Units } from './units.ts';

/** One path that is to become what it was. Absent: nothing stands, or stood, there. */
export interface Step {
  readonly path: Bytes;
  readonly now: Entry | undefined;
  readonly was: Entry | undefined;
}

/** Why a path that is not as it was stays as it is. */
export type KeptReason =
  /** it changed after the run */
  | 'yours'
  /** whether it changed after the run is not known, because nobody saw its end */
  | 'unsure'
  /** it is gone, and the snapshot does not hold it */
  | 'not-held'
  /** it is new, and cannot be held: taking it away could not be undone */
  | 'new-not-held'
  /** something that stays is in it, or stands in its way */
  | 'in-the-way';

export interface UndoPlan {
  /** in the order of their paths */
  readonly steps: readonly Step[];
  readonly kept: readonly { readonly path: Bytes; readonly why: KeptReason }[];
  /** of files with several names: one that stands and stays, by the name of the group */
  readonly anchors: ReadonlyMap<Bytes, Bytes>;
  /** folders of git's own among the steps */
  readonly git: readonly Bytes[];
  /** the same for two plans that do the same to the same files */
  readonly digest: string;
  /** left out now, and in the way of what was there: to be held before a plan can be made */
  readonly toHold: ReadonlySet<Bytes>;
}

export interface PlanParts {
  /** what is to be again */
  readonly target: Tree;
  /** how the run left it; undefined when nobody saw its end */
  readonly end: Tree | undefined;
  readonly now: Tree;
  /** now as well, by the same rules as `end`: `now` may hold more, because it stands in the way */
  readonly seen: Tree;
  readonly isChosen: (path: Bytes) => boolean;
  /** also what changed after the run */
  readonly force: boolean;
  readonly read: ReadContent;
}

/** Reasons that a second look can do without. */
const CAN_BE_HELD: ReadonlySet<string> = new Set(['rebuilt', 'ignored']);
/** Nothing is lost with them: they are made anew by whoever needs them. */
const WORTH_NOTHING: ReadonlySet<string> = new Set(['socket', 'device']);

/** What undoing would do. Changes nothing. Throws `Unprocessable` for a choice that cuts through what belongs together. */
export function planUndo(parts: PlanParts): UndoPlan {
  return new Planner(parts).plan();
}

class Planner {
  readonly #parts: PlanParts;
  readonly #units: Units;
  readonly #kept = new Map<Bytes, KeptReason>();
  readonly #toHold = new Set<Bytes>();
  /** paths to put back */
  readonly #back = new Map<Bytes, Entry | undefined>();

  constructor(parts: PlanParts) {
    this.#parts = parts;
    const { target, end, now } = parts;
    const later = end === undefined ? [now] : [now, end];
    this.#units = new Units(gitFolders(target, ...later), target, ...later);
  }

  plan(): UndoPlan {
    const { target, now, isChosen } = this.#parts;
    const units = new Map<Bytes, Bytes[]>();
    for (const path of new Set([...target.keys(), ...now.keys()])) {
      if (isSame(target.get(path), now.get(path))) continue;
      const unit = this.#units.of(path);
      const others = units.get(unit);
      if (others === undefined) units.set(unit, [path]);
      else others.push(path);
    }
    for (const [unit, paths] of units) {
      const chosen = paths.filter(isChosen);
      if (chosen.length === 0) continue;
      if (chosen.length < paths.length)
        throw cutsThrough(chosen, paths, this.#units.gitFoldersOf(unit).length > 0);
      this.#decide(unit, paths);
    }
    this.#unblock();
    return this.#result();
  }

  #decide(unit: Bytes, paths: readonly Bytes[]): void {
    const held = paths.filter((path) => !this.#isOutOfReach(path));
    const why = held.length === 0 || this.#parts.force ? undefined : this.#whose(unit, held);
    if (why !== undefined) this.#keep(unit, held, why);
    else for (const path of held) this.#back.set(path, this.#parts.target.get(path));
  }

  /** What one of the two does not hold: said, and left alone, unless it stands where something held was. */
  #isOutOfReach(path: Bytes): boolean {
    const { target, now } = this.#parts;
    const [was, is] = [target.get(path), now.get(path)];
    const isUnder = [...ancestorsOf(path)].some((above) => target.get(above)?.kind === 'left-out');
    if (was?.kind === 'left-out' || isUnder) {
      // What is there may be what was there: that it is not held was said when the snapshot was taken.
      if (!isUnder && is === undefined) this.#kept.set(path, 'not-held');
      return true;
    }
    if (is?.kind !== 'left-out') return false;
    const mustGo = was !== undefined || [...ancestorsOf(path)].some((above) => this.#wasNoFolder(above));
    if (mustGo && CAN_BE_HELD.has(is.why)) this.#toHold.add(path);
    else if (was === undefined) this.#kept.set(path, 'new-not-held');
    else if (WORTH_NOTHING.has(is.why)) return false;
    else this.#kept.set(path, 'in-the-way');
    return true;
  }

  #wasNoFolder(path: Bytes): boolean {
    const was = this.#parts.target.get(path);
    return was !== undefined && was.kind !== 'folder' && was.kind !== 'left-out';
  }

  /** Undefined: the run's own. */
  #whose(unit: Bytes, paths: readonly Bytes[]): KeptReason | undefined {
    const { end, seen, read } = this.#parts;
    if (end === undefined) return 'unsure';
    const folders = this.#units.gitFoldersOf(unit);
    const isGitYours = folders.some(
      (folder) => !meansTheSame(readGitState(end, folder, read), readGitState(seen, folder, read)),
    );
    const others = paths.filter((path) => !this.#units.isGit(path));
    const isYours = isGitYours || others.some((path) => !isSame(end.get(path), seen.get(path)));
    return isYours ? 'yours' : undefined;
  }

  #keep(unit: Bytes, paths: readonly Bytes[], why: KeptReason): void {
    const folders = this.#units.gitFoldersOf(unit);
    for (const folder of folders) this.#kept.set(folder, why);
    for (const path of paths) if (!this.#units.isGit(path)) this.#kept.set(path, why);
  }

  /** Whatever cannot be put back because of what stays: that stays too, until all of it fits together. */
  #unblock(): void {
    for (;;) {
      const used = this.#foldersInUse();
      const blocked = [...this.#back.keys()].filter((path) => !this.#fits(path, used));
      if (blocked.length === 0) return;
      this.#giveUp(new Set(blocked.map((path) => this.#units.of(path))));
    }
  }

  #fits(path: Bytes, used: ReadonlySet<Bytes>): boolean {
    const was = this.#back.get(path);
    const mustGo = was?.kind !== 'folder' && this.#isFolderNow(path);
    if (mustGo && used.has(path)) return false;
    return was === undefined || this.#hasPlace(path);
  }

  #isFolderNow(path: Bytes): boolean {
    return this.#parts.now.get(path)?.kind === 'folder';
  }

  /** Folders that have something in them in the end. */
  #foldersInUse(): ReadonlySet<Bytes> {
    const used = new Set<Bytes>();
    for (const path of this.#parts.now.keys())
      if (!this.#back.has(path) && path !== '') used.add(parentOf(path));
    for (const [path, was] of this.#back) if (was !== undefined && path !== '') used.add(parentOf(path));
    return used;
  }

  /** Whether the folder that it stood in is there in the end; one that was not chosen comes along. */
  #hasPlace(path: Bytes): boolean {
    const { now, target } = this.#parts;
    for (const above of ancestorsOf(path)) {
      const end = this.#back.has(above) ? this.#back.get(above) : now.get(above);
      if (end?.kind === 'folder') continue;
      const was = target.get(above);
      if (end !== undefined || was?.kind !== 'folder' || this.#kept.has(above)) return false;
      this.#back.set(above, was);
    }
    return true;
  }

  #giveUp(units: ReadonlySet<Bytes>): void {
    const given = new Map<Bytes, Bytes[]>();
    for (const path of [...this.#back.keys()]) {
      const unit = this.#units.of(path);
      if (!units.has(unit)) continue;
      this.#back.delete(path);
      given.set(unit, [...(given.get(unit) ?? []), path]);
    }
    for (const [unit, paths] of given) this.#keep(unit, paths, 'in-the-way');
  }

  #anchors(): ReadonlyMap<Bytes, Bytes> {
    const anchors = new Map<Bytes, Bytes>();
    for (const [path, entry] of this.#parts.target)
      if (entry.kind === 'file' && entry.group !== undefined && !this.#back.has(path))
        anchors.set(entry.group, path);
    return anchors;
  }

  #result(): UndoPlan {
    const { now } = this.#parts;
    const steps = [...this.#back.keys()]
      .sort()
      .map((path) => ({ path, now: now.get(path), was: this.#back.get(path) }));
    const digest = createHash('sha256');
    for (const step of steps)
      digest.update(`${step.path}\0${keyOf(step.now)}\0${keyOf(step.was)}\0`, 'latin1');
    const touched = new Set(steps.map(({ path }) => this.#units.of(path)));
    return {
      steps,
      kept: [...this.#kept].sort(([a], [b]) => (a < b ? -1 : 1)).map(([path, why]) => ({ path, why })),
      anchors: this.#anchors(),
      git: [...touched].flatMap((unit) => this.#units.gitFoldersOf(unit)).sort(),
      digest: digest.digest('hex'),
      toHold: this.#toHold,
    };
  }
}

function cutsThrough(chosen: readonly Bytes[], paths: readonly Bytes[], isGit: boolean): SallyportError {
  const [one, other] = [chosen[0] ?? '', paths.find((path) => !chosen.includes(path)) ?? ''];
  const shown = (path: Bytes): string => Buffer.from(path, 'latin1').toString().slice(0, 200);
  return new SallyportError('Unprocessable', {
    message: isGit
      ? `\`${shown(one)}\` belongs to a repository, which is put back as a whole or not at all`
      : `\`${shown(one)}\` and \`${shown(other)}\` are names of one file, which are put back together`,
    hint: isGit ? 'choose its whole folder, such as `--path .git`' : 'choose both with `--path`',
  });
}
