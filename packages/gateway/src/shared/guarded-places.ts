/**
 * Places of a workspace whose content runs later, as the person who works there: the one list for the jail, the hook and
 * the end of a run. By name alone; what a file may hold all the same is the business of whoever looks into it.
 */
export type GuardedKind =
  /** keys that run programs, among many that do not */
  | 'git-config'
  /** runs whatever it holds */
  | 'git-hook'
  /** says where a repository lies: a `.git` file, `commondir` */
  | 'git-link'
  /** a rebase that goes on later; its `exec` lines run */
  | 'git-todo'
  /** runs only with a path in it: `rust-toolchain.toml`, `.tool-versions` */
  | 'tool-path'
  /** code that each start of a Python environment runs */
  | 'python-path'
  /** settings of editors, agents, shells and package managers: guarded whatever they hold */
  | 'settings';

const FOLDERS = words(
  '.vscode .idea .zed .cursor .windsurf .fleet .devcontainer .claude .codex .pi .gemini .opencode .mise',
);
const FILES = words(
  '.envrc .mcp.json .npmrc .user.ini .dir-locals.el .dir-locals-2.el .mise.toml mise.toml .mise.local.toml ' +
    'mise.local.toml .aider.conf.yml opencode.json .exrc .vimrc .nvimrc .nvim.lua .lvimrc .gdbinit .lldbinit ' +
    '.autoenv.zsh .irbrc .pryrc .rprofile .ghci .octaverc .devcontainer.json .code-workspace sitecustomize.py usercustomize.py',
);
/** With the folder that they stand in. */
const IN_FOLDER = words(
  '.cargo/config.toml .cargo/config .mvn/jvm.config .mvn/maven.config .mvn/extensions.xml .bundle/config ' +
    '.config/mise.toml mise/config.toml mise/config.local.toml',
);
const TOOL_PATHS = words('rust-toolchain.toml rust-toolchain .tool-versions');
/** Whole checkouts, which agents keep below their settings. */
const NO_SETTINGS = words('.claude/worktrees');

/** What the name of a file or folder says, in whatever case it is written; undefined: nothing runs by it. */
export function guardedName(name: string, parent: string): GuardedKind | undefined {
  const lower = name.toLowerCase();
  const folder = parent.toLowerCase();
  if (FILES.has(lower) || lower.startsWith('.yarnrc') || lower.endsWith('.code-workspace')) return 'settings';
  if (IN_FOLDER.has(`${folder}/${lower}`)) return 'settings';
  if (TOOL_PATHS.has(lower)) return 'tool-path';
  if (lower.endsWith('.pth') && /^(?:site|dist)-packages$/.test(folder)) return 'python-path';
  return undefined;
}

/** Whether everything below a folder is guarded. */
export function isGuardedFolder(name: string): boolean {
  return FOLDERS.has(name.toLowerCase());
}

/** Whether a folder inside a guarded one is ordinary again. */
export function isOpenFolder(name: string, parent: string): boolean {
  return NO_SETTINGS.has(`${parent}/${name}`.toLowerCase());
}

/** What of a repository may be written by name without a thought: nothing of it says what runs. */
const HARMLESS_OF_GIT =
  /^(?:info\/(?:exclude|sparse-checkout)|description|(?:commit_edit|merge_|squash_)msg|(?:.*\/)?[^/]*\.lock)$/;

/**
 * Whether what is written at a path below a folder would run later, by the names on its way. In a repository everything
 * but what is known to be harmless: whoever writes there past git means the repository itself.
 */
export function isGuardedPath(below: string): boolean {
  const names = below.split('/');
  let isOpen = true;
  for (const [index, name] of names.entries()) {
    const parent = names[index - 1] ?? '';
    const lower = name.toLowerCase();
    if (lower === '.git' || (lower.endsWith('.git') && index < names.length - 1)) {
      const rest = names
        .slice(index + 1)
        .join('/')
        .toLowerCase();
      return !HARMLESS_OF_GIT.test(rest);
    }
    if (isGuardedFolder(name)) isOpen = false;
    else if (isOpenFolder(name, parent)) isOpen = true;
    if (guardedName(name, parent) !== undefined) return true;
  }
  return !isOpen;
}

/** Whether a pattern below a folder may name such a path: a `*` that begins a name stands for no dot. */
export function mayBeGuarded(pattern: string): boolean {
  return (
    isGuardedPath(pattern) || pattern.split('/').some((part) => /^\.[^.]?.*[*?[]|^\.[*?[]|^[?[]/.test(part))
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
