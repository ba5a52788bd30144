import { posix } from 'node:path';
import type { Confinement } from '@sallyport/protocol';
import type { CliContext, CliIntent } from '../../cli/index.ts';
import type { Workspace } from '../../places/index.ts';
import type { RepositoryAt } from '../../repository/index.ts';
import type { Word } from './word.ts';

/** `undefined`: the classifier does not know the program. */
export type ClassifyCli = (argv: readonly string[], context: CliContext) => CliIntent | undefined;

/** What the line is read against. Its functions may look things up; none runs anything. */
export interface ShellContext {
  /** absolute */
  readonly cwd: string;
  /** `resolvePath` would give `cwd` itself: it was asked a moment ago */
  readonly isCwdReal?: true;
  /** absolute */
  readonly home: string;
  readonly confinement: Confinement;
  /** what of this machine is the session's own, where no jail says it */
  readonly workspace: Workspace;
  /** absolute path with `.`/`..` and every existing symlink resolved; a throw makes the path unknown */
  readonly resolvePath: (given: string, cwd: string) => string;
  readonly classifyCli: ClassifyCli;
  /** the repository that a folder is in; absent: nobody looks */
  readonly repositoryAt?: RepositoryAt;
  /** what a program goes by in a folder when its words do not say where */
  readonly settingOf?: (program: string, cwd: string) => string | undefined;
}

/** Folders in which a command may run; `undefined` when they cannot be known. */
export type Folders = readonly string[] | undefined;

/** Where a command runs: what is certain, for what it writes; and what is likely, for what it names. */
export interface Where {
  readonly known: Folders;
  /** canonical */
  readonly likely: readonly string[];
  /** it may run somewhere else as well */
  readonly lost: boolean;
}

/** How a `cd` is followed. */
export interface Follow {
  readonly context: ShellContext;
  /** the folders that a word may name, seen from some; undefined: none that anybody can say */
  folders(word: Word, from: readonly string[]): Folders;
  /** says why the line cannot be known */
  doubt(reason: string): void;
}

const MAX_FOLDERS = 4;
const MAX_LIKELY = 16;

/**
 * Where the next command runs. `cd` can fail, so after `cd a; b` there are two candidates, and after `cd a && b` one:
 * `now` holds whatever the last status was, `onSuccess` if it was zero.
 */
export class CwdScope {
  now: Where;
  onSuccess: Where;
  /** every folder that the line may have been in: where `cd -` and `popd` lead */
  readonly #seen: Set<string>;

  constructor(now: Where, seen = new Set(now.likely)) {
    this.now = now;
    this.onSuccess = now;
    this.#seen = seen;
  }

  /** A subshell: what happens there stays there. */
  fork(): CwdScope {
    return new CwdScope(this.now, this.#seen);
  }

  /** Nothing is certain any more. */
  lose(): void {
    this.now = { ...this.now, known: undefined };
    this.onSuccess = this.now;
  }

  /** `popd`, `cd -`: somewhere where it was before. */
  goBack(): void {
    this.now = unite({ ...this.now, known: undefined }, { ...this.now, likely: [...this.#seen] });
    this.onSuccess = this.now;
  }

  /** A command that does not move ran in `now`. */
  stay(): void {
    this.onSuccess = this.now;
  }

  /** `cd` and `pushd`. */
  move(args: readonly Word[], follow: Follow): void {
    if (args.some(({ text }) => text === '-')) {
      this.goBack();
      return;
    }
    const there = { known: this.#certain(args, follow), ...this.#likely(args, follow) };
    for (const folder of there.likely) this.#seen.add(folder);
    this.onSuccess = there;
    this.now = unite(this.now, there);
  }

  #certain(args: readonly Word[], { context, doubt }: Follow): Folders {
    const [target, ...more] = args;
    if (target === undefined) return [context.home];
    if (more.length > 0 || !target.literal || target.text === '' || /^[-+]/.test(target.text))
      return undefined;
    const given = target.tilde ? context.home + target.text.slice(1) : target.text;
    const from = given.startsWith('/') ? ['/'] : this.now.known;
    try {
      return limit(from?.flatMap((cwd) => places(given, cwd, context)));
    } catch {
      doubt('the line enters a folder that cannot be looked at');
      return undefined;
    }
  }

  #likely(args: readonly Word[], { context, folders }: Follow): Omit<Where, 'known'> {
    const names = args.filter(({ text }) => !/^[-+]/.test(text));
    if (names.length === 0) return { likely: [context.home], lost: false };
    const found = names.map((word) => folders(word, this.now.likely));
    const likely = found.flatMap((list) => list ?? []);
    return { ...limitLikely(likely), ...(found.includes(undefined) ? { lost: true } : {}) };
  }
}

/** A shell resolves `..` by text, the system by folders: with symlinks these are two places. */
function places(given: string, cwd: string, { resolvePath }: ShellContext): readonly string[] {
  const byText = posix.resolve(cwd, given);
  const real = resolvePath(given, cwd);
  // INVARIANT: every folder is canonical, so that what is seen from it need not be resolved from the root.
  return byText === real ? [real] : [real, resolvePath(byText, '/')];
}

export function unite(left: Where, right: Where): Where {
  if (left === right) return left;
  const known =
    left.known === undefined || right.known === undefined
      ? undefined
      : limit([...left.known, ...right.known]);
  const { likely, lost } = limitLikely([...left.likely, ...right.likely]);
  return { known, likely, lost: lost || left.lost || right.lost };
}

function limit(folders: Folders): Folders {
  if (folders === undefined) return undefined;
  const unique = [...new Set(folders)];
  return unique.length > MAX_FOLDERS ? undefined : unique;
}

function limitLikely(folders: readonly string[]): Omit<Where, 'known'> {
  const unique = folders.length < 2 ? folders : [...new Set(folders)];
  return { likely: unique.slice(0, MAX_LIKELY), lost: unique.length > MAX_LIKELY };
}
