/** What became of a config of git: the text that may stay, and the keys that may not. */
export interface JudgedConfig {
  readonly text: string;
  /** `core.fsmonitor`, or what a line begins with that cannot be read */
  readonly refused: readonly string[];
}

/** Keys without a subsection, by section; `*`: every key. None of them names a program, a file that is run, or another host. */
const PLAIN_KEYS: Readonly<Record<string, string>> = {
  core:
    'repositoryformatversion filemode bare logallrefupdates ignorecase precomposeunicode autocrlf eol safecrlf symlinks ' +
    'quotepath abbrev compression preloadindex untrackedcache sharedrepository whitespace longpaths checkstat trustctime ' +
    'sparsecheckout sparsecheckoutcone protecthfs protectntfs bigfilethreshold commentchar splitindex fscache',
  extensions: '*',
  user: '*',
  author: 'name email',
  committer: 'name email',
  advice: '*',
  color: '*',
  column: '*',
  status: '*',
  feature: '*',
  index: '*',
  pack: '*',
  push: 'default autosetupremote followtags recursesubmodules usebitmaps',
  pull: 'rebase ff twohead',
  fetch: 'prune prunetags parallel recursesubmodules writecommitgraph output all fsckobjects',
  merge:
    'ff conflictstyle renames renamelimit directoryrenames log stat autostash verifysignatures branchdesc',
  rebase: 'autosquash autostash updaterefs missingcommitscheck stat rebasemerges abbreviatecommands',
  rerere: 'enabled autoupdate',
  diff: 'algorithm renames renamelimit colormoved mnemonicprefix context noprefix submodule statgraphwidth interhunkcontext',
  log: 'date decorate follow abbrevcommit showsignature mailmap showroot',
  commit: 'verbose cleanup gpgsign status',
  tag: 'sort gpgsign forcesignannotated',
  init: 'defaultbranch',
  branch: 'autosetupmerge autosetuprebase sort',
  remote: 'pushdefault',
  checkout: 'defaultremote guess workers thresholdforparallelism',
  worktree: 'guessremote userelativepaths',
  submodule: 'active recurse fetchjobs propagatebranches alternatelocation alternateerrorstrategy',
  gc: 'auto autodetach autopacklimit pruneexpire reflogexpire reflogexpireunreachable worktreepruneexpire packrefs writecommitgraph',
  maintenance: 'auto strategy autodetach',
  stash: 'showpatch showstat showincludeuntracked',
  versionsort: 'suffix',
  lfs: 'repositoryformatversion',
};

/** Keys below a name: `remote.origin.url`. */
const NAMED_KEYS: Readonly<Record<string, string>> = {
  remote:
    'url fetch pushurl push tagopt mirror prune prunetags skipdefaultupdate skipfetchall promisor partialclonefilter gh-resolved followremotehead',
  branch: '*',
  submodule: 'url active branch ignore path shallow fetchrecursesubmodules',
  lfs: 'access locksverify',
  color: '*',
};

const HEADER = /^\[([A-Za-z0-9-]+)(?:[ \t]+"((?:[^"\\]|\\["\\])*)")?\]$/;
const ENTRY = /^([A-Za-z][A-Za-z0-9-]*)(?:[ \t]*=[ \t]*(.*))?$/;
/** SECURITY: a value that goes on in the next line, or a quote that is open, would hide that line from here. */
const PLAIN_VALUE = /^(?:[^"\\\n\r\0]|"(?:[^"\\]|\\["\\nt])*"|\\["\\nt])*$/;
const LONGEST = 256 * 1024;

/**
 * Judges a config by its lines: what stands in the one that was there before, section by section, may stay; of the rest only
 * keys that are known to run nothing. `isInside`: whether a path, as the config writes it, stays in the workspace.
 *
 * SECURITY: strict, because git reads it again: what is not plainly readable here is refused, not skipped [JA-7].
 */
export function judgeConfig(text: string, was: string, isInside: (path: string) => boolean): JudgedConfig {
  if (text === was) return { text, refused: [] };
  if (text.length > LONGEST) return { text: was, refused: ['a config that is too large'] };
  const before = new Set(blocksOf(was).map((block) => block.join('\n').trimEnd()));
  const entries = new Set(blocksOf(was).flatMap(entriesOf));
  const refused: string[] = [];
  const kept = blocksOf(text).flatMap((block) => {
    const whole = block.join('\n').trimEnd();
    if (before.has(whole) && !whole.endsWith('\\')) return block;
    return judgeBlock(block, entries, isInside, refused);
  });
  return { text: refused.length === 0 ? text : kept.join('\n'), refused };
}

function judgeBlock(
  block: readonly string[],
  entries: ReadonlySet<string>,
  isInside: (path: string) => boolean,
  refused: string[],
): readonly string[] {
  const header = HEADER.exec((block[0] ?? '').trim());
  if (header === null && (block[0] ?? '').trimStart().startsWith('[')) {
    refused.push((block[0] ?? '').trim().slice(0, 80));
    return [];
  }
  const [, section = '', name] = header ?? [];
  return block.filter((line, index) => {
    const bare = line.trim();
    if (index === 0 && header !== null) return true;
    if (bare === '' || /^[#;][^\0\r]*$/.test(bare)) return true;
    const entry = ENTRY.exec(bare);
    const [, key = '', value = ''] = entry ?? [];
    const isKnown = entries.has(keyOf(section, name, key, value)) && PLAIN_VALUE.test(value);
    const mayStay =
      header !== null &&
      entry !== null &&
      PLAIN_VALUE.test(value) &&
      mayHold(section, name, key, value, isInside);
    if (isKnown || mayStay) return true;
    refused.push([section, name, key === '' ? bare.slice(0, 40) : key].filter(Boolean).join('.'));
    return false;
  });
}

function mayHold(
  section: string,
  name: string | undefined,
  key: string,
  value: string,
  isInside: (path: string) => boolean,
): boolean {
  const [group, lower] = [section.toLowerCase(), key.toLowerCase()];
  const isPlain = /^[\w./ -]*$/.test(value);
  if (name === undefined && group === 'core' && lower === 'worktree')
    return isPlain && isInside(value.trim());
  // The daemon that git brings along; any other value is a program.
  if (name === undefined && group === 'core' && lower === 'fsmonitor')
    return /^(?:true|false)$/.test(value.trim());
  if (name !== undefined && group === 'submodule' && lower === 'update')
    return /^(?:checkout|merge|rebase|none)$/.test(value.trim());
  // `ext::` runs a command, and other helpers are programs of that name.
  if (group === 'remote' && /url$/.test(lower) && /^"?\s*[\w+-]*::/.test(value)) return false;
  const table = name === undefined ? PLAIN_KEYS : NAMED_KEYS;
  const keys = Object.hasOwn(table, group) ? table[group] : undefined;
  return keys === '*' || (keys?.split(' ').includes(lower) ?? false);
}

/** Lines by section; what stands before the first header is a block of its own. */
function blocksOf(text: string): readonly (readonly string[])[] {
  const blocks: string[][] = [[]];
  for (const line of text.split('\n')) {
    if (line.trimStart().startsWith('[')) blocks.push([line]);
    else blocks.at(-1)?.push(line);
  }
  return blocks.filter((block) => block.length > 0);
}

function entriesOf(block: readonly string[]): readonly string[] {
  const [, section = '', name] = HEADER.exec((block[0] ?? '').trim()) ?? [];
  return block.flatMap((line) => {
    const [, key, value = ''] = ENTRY.exec(line.trim()) ?? [];
    return key === undefined ? [] : [keyOf(section, name, key, value)];
  });
}

function keyOf(section: string, name: string | undefined, key: string, value: string): string {
  return JSON.stringify([section.toLowerCase(), name ?? null, key.toLowerCase(), value]);
}

/** Files that a config includes, as it writes them. */
export function includesOf(text: string): readonly string[] {
  return blocksOf(text).flatMap((block) => {
    if (!/^\[include(?:if)?[ \t\]]/i.test((block[0] ?? '').trim())) return [];
    return block.flatMap((line) => {
      const value = /^\s*path\s*=\s*"?([^"#;\n]+?)"?\s*$/i.exec(line)?.[1];
      return value === undefined ? [] : [value];
    });
  });
}
