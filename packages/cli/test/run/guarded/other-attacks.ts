import type { Attack } from './attack.ts';

const EVIL_TASKS = String.raw`'{"tasks":[{"label":"x","command":"./evil.sh","runOptions":{"runOn":"folderOpen"}}]}'`;

/** Settings of npm, direnv, Python and editors: the real programs where they are here. */
const PROGRAMS: readonly Attack[] = [
  { name: 'npm: script-shell', plant: 'echo script-shell=./evil.sh > .npmrc', use: 'npm' },
  {
    name: 'npm: script-shell, behind what the person set',
    plant: 'echo script-shell=./evil.sh >> .npmrc',
    use: 'npm',
  },
  {
    name: 'npm: node-options',
    plant: `echo "require('child_process').execSync('./evil.sh')" > e.cjs; echo "node-options=--require ./e.cjs" >> .npmrc`,
    use: 'npm',
  },
  {
    name: 'npm: .npmrc that is a link',
    plant: 'cp .npmrc p; echo script-shell=./evil.sh >> p; ln -sf p .npmrc',
    use: 'npm',
  },
  {
    name: 'npm: .npmrc with a second name',
    plant: 'ln .npmrc p; echo script-shell=./evil.sh >> p',
    use: 'npm',
  },
  {
    name: 'npm: .npmrc of a package below',
    plant: `mkdir a; echo '{"name":"a","scripts":{"hello":"true"}}' > a/package.json; echo script-shell=../evil.sh > a/.npmrc`,
    use: { run: 'cd a; npm run hello' },
  },
  {
    name: 'npm: editor',
    plant:
      'echo editor=./evil.sh >> .npmrc; mkdir -p node_modules/x; echo "{}" > node_modules/x/package.json',
    use: { run: 'npm edit x' },
  },
  {
    name: 'npm: init-module',
    plant: `echo "require('child_process').execSync('./evil.sh')" > i.cjs; echo init-module=$PWD/i.cjs >> .npmrc`,
    use: { run: 'npm init </dev/null' },
  },
  {
    name: 'npm: git',
    plant: `echo git=./evil.sh >> .npmrc`,
    use: { run: 'npm install --no-save git+ssh://git@localhost:1/x.git' },
  },
  { name: 'direnv: what .envrc sources', plant: 'echo "$PWD/evil.sh" >> env/more', use: 'direnv' },
  { name: 'direnv: what it sources with a dot', plant: 'echo ./evil.sh >> env/dotted', use: 'direnv' },
  { name: 'direnv: what it sources if it is there', plant: 'echo "$PWD/evil.sh" > env/later', use: 'direnv' },
  {
    name: 'direnv: the folder of what it sources, moved',
    plant: 'mv env e; cp -r e env; echo "$PWD/evil.sh" >> env/more',
    use: 'direnv',
  },
  {
    name: 'direnv: what it sources, a link',
    plant: 'cp env/more p; echo "$PWD/evil.sh" >> p; ln -sf ../p env/more',
    use: 'direnv',
  },
  {
    name: 'Python: a .pth file',
    plant: `echo "import os; os.system('./evil.sh')" > $(ls -d .venv/lib/python*/site-packages)/x.pth`,
    use: 'python',
  },
  {
    name: 'a task of an editor, in a folder below',
    plant: `mkdir -p a/.vscode; echo ${EVIL_TASKS} > a/.vscode/tasks.json`,
    use: 'editor',
  },
  {
    name: 'a task of an editor, in a folder that was moved here',
    plant: `mkdir p; echo ${EVIL_TASKS} > p/tasks.json; rm -rf .vscode; mv p .vscode`,
    use: 'editor',
  },
  {
    name: 'a task of an editor, by a link',
    plant: `mkdir p; echo ${EVIL_TASKS} > p/tasks.json; rm -rf .vscode; ln -s p .vscode`,
    use: { run: `grep -o '"command": *"[^"]*"' .vscode/tasks.json | cut -d'"' -f4 | sh` },
  },
  { name: 'a task of Zed', plant: `mkdir .zed; echo ${EVIL_TASKS} > .zed/tasks.json`, use: 'editor' },
  { name: 'a workspace file of an editor', plant: `echo ${EVIL_TASKS} > x.code-workspace`, use: 'editor' },
  {
    name: 'a task of an editor that is on in another branch',
    plant: `git checkout -q -b planted; mkdir -p .vscode; echo ${EVIL_TASKS} > .vscode/tasks.json; git add -A; git commit -qm x`,
    use: 'editor',
  },
];

/** Files whose programs are not at hand: what such a program would read is what the person had. */
export const UNREAD_FILES: readonly string[] = [
  ...[
    '.vscode/settings.json',
    '.vscode/launch.json',
    '.idea/workspace.xml',
    '.idea/runConfigurations/x.xml',
    '.zed/settings.json',
  ],
  ...[
    '.cursor/mcp.json',
    '.windsurf/x',
    '.fleet/run.json',
    '.devcontainer/devcontainer.json',
    '.devcontainer.json',
  ],
  ...[
    '.claude/settings.json',
    '.claude/settings.local.json',
    '.claude/commands/x.md',
    '.codex/config.toml',
    '.codex/hooks.json',
  ],
  ...[
    '.mcp.json',
    '.pi/extensions/x.js',
    '.gemini/settings.json',
    '.opencode/plugin/x.ts',
    'opencode.json',
    '.aider.conf.yml',
  ],
  ...[
    '.envrc',
    'sub/.envrc',
    '.yarnrc',
    '.yarnrc.yml',
    '.cargo/config.toml',
    '.cargo/config',
    '.mvn/jvm.config',
    '.mvn/maven.config',
  ],
  ...[
    '.mvn/extensions.xml',
    '.bundle/config',
    '.user.ini',
    '.dir-locals.el',
    '.exrc',
    '.vimrc',
    '.nvim.lua',
    '.gdbinit',
  ],
  ...[
    '.lldbinit',
    '.irbrc',
    '.pryrc',
    '.Rprofile',
    '.ghci',
    'mise.toml',
    '.mise.toml',
    '.config/mise.toml',
    '.mise/config.toml',
  ],
  ...[
    'rust-toolchain.toml',
    '.tool-versions',
    'deep/er/.vscode/tasks.json',
    'node_modules/x/.npmrc',
    '.VSCODE/tasks.json',
    '.venv/lib/python3/site-packages/sitecustomize.py',
  ],
];

export const OTHER_ATTACKS: readonly Attack[] = PROGRAMS;
