import type { Bytes, HeldFolder } from '../tree/held-folder.ts';
import { follows, type GitIndex, readGitIndex } from './git-index.ts';
import { type IgnorePattern, matchesPattern, parsePatterns } from './pattern.ts';

const MOST_IGNORE_BYTES = 1024 * 1024;
const MOST_INDEX_BYTES = 256 * 1024 * 1024;

/** What git would say of the files in one folder. Reads text; runs nothing. Asked only while the folder is held. */
export class FolderRules {
  readonly #names: readonly Bytes[];
  readonly #above: FolderRules | undefined;
  readonly #folder: HeldFolder;
  readonly #repository: Repository | undefined;
  #patterns: readonly IgnorePattern[] | undefined;
  #isIgnored: boolean | undefined;

  private constructor(
    folder: HeldFolder,
    names: readonly Bytes[],
    above: FolderRules | undefined,
    repository: Repository | undefined,
  ) {
    this.#folder = folder;
    this.#names = names;
    this.#above = above;
    this.#repository = repository;
  }

  /** `git`: what stands at the name `.git` of the workspace. */
  static of(folder: HeldFolder, git: GitPlace): FolderRules {
    return new FolderRules(folder, [], undefined, git === 'none' ? undefined : new Repository(folder, git));
  }

  /** A repository within another one has rules of its own. */
  enter(folder: HeldFolder, name: Bytes, git: GitPlace): FolderRules {
    if (git !== 'none') return FolderRules.of(folder, git);
    return new FolderRules(folder, [...this.#names, name], this, this.#repository);
  }

  /** By the rules of the workspace: what the person's own settings ignore as well is not known, and counts. */
  ignores(name: Bytes, isFolder: boolean): boolean {
    if (this.#repository === undefined) return false;
    this.#isIgnored ??= this.#above?.ignores(this.#names.at(-1) ?? '', true) ?? false;
    if (this.#isIgnored) return true;
    const names = [...this.#names, name];
    for (let at: FolderRules | undefined = this; at !== undefined; at = at.#above) {
      const found = lastMatch(at.#own(), names.slice(at.#names.length), isFolder);
      if (found !== undefined) return !found.isNegated;
    }
    return lastMatch(this.#repository.excluded(), names, isFolder)?.isNegated === false;
  }

  /** Whether git follows it, or something below it; undefined where that cannot be known. */
  follows(name: Bytes): boolean | undefined {
    if (this.#repository === undefined) return false;
    const index = this.#repository.index();
    return index === 'unknown' ? undefined : follows(index, [...this.#names, name].join('/'));
  }

  #own(): readonly IgnorePattern[] {
    this.#patterns ??= patternsIn(this.#folder, '.gitignore');
    return this.#patterns;
  }
}

/** `elsewhere`: a file that names a folder, as in worktrees and submodules. */
export type GitPlace = 'folder' | 'elsewhere' | 'none';

const NOTHING: GitIndex = { paths: [], digest: '' };

class Repository {
  readonly #folder: HeldFolder;
  readonly #git: 'folder' | 'elsewhere';
  #index: GitIndex | 'unknown' | undefined;
  #excluded: readonly IgnorePattern[] | undefined;

  constructor(folder: HeldFolder, git: 'folder' | 'elsewhere') {
    this.#folder = folder;
    this.#git = git;
  }

  index(): GitIndex | 'unknown' {
    this.#index ??=
      this.#inGit((git) => {
        // Before the first `git add` there is none, and nothing is followed.
        if (git.look('index') === undefined) return NOTHING;
        const bytes = git.readSmall('index', MOST_INDEX_BYTES);
        return bytes && readGitIndex(bytes);
      }) ?? 'unknown';
    return this.#index;
  }

  excluded(): readonly IgnorePattern[] {
    this.#excluded ??=
      this.#inGit((git) => {
        using info = git.enter('info');
        return patternsIn(info, 'exclude');
      }) ?? [];
    return this.#excluded;
  }

  #inGit<T>(look: (git: HeldFolder) => T): T | undefined {
    if (this.#git === 'elsewhere') return undefined;
    try {
      using git = this.#folder.enter('.git');
      return look(git);
    } catch {
      return undefined;
    }
  }
}

function patternsIn(folder: HeldFolder, name: Bytes): readonly IgnorePattern[] {
  return parsePatterns(folder.readSmall(name, MOST_IGNORE_BYTES)?.toString('latin1') ?? '');
}

function lastMatch(
  patterns: readonly IgnorePattern[],
  names: readonly Bytes[],
  isFolder: boolean,
): IgnorePattern | undefined {
  return patterns.findLast((pattern) => matchesPattern(pattern, names, isFolder));
}
