import type { Attack } from './attack.ts';
import { PLACES, TIMES } from './repository-attacks.ts';

/** `[name, keys of the config, what runs it]`: each is a way in which git runs a program that its config names. */
const KEYS: readonly (readonly [string, string, Attack['use']])[] = [
  ['core.fsmonitor', 'core.fsmonitor ./evil.sh', 'status'],
  ['core.hooksPath', 'core.hooksPath planted', 'work'],
  ['core.editor', 'core.editor ./evil.sh', { run: 'git commit --allow-empty' }],
  ['sequence.editor', 'sequence.editor ./evil.sh', { run: 'git rebase -i HEAD~1' }],
  ['core.gitProxy', 'core.gitProxy ./evil.sh', { run: 'git ls-remote git://localhost:1/x' }],
  ['core.sshCommand', 'core.sshCommand ./evil.sh', { run: 'git ls-remote ssh://localhost:1/x' }],
  [
    'core.askPass',
    'core.askPass ./evil.sh',
    { run: 'printf "protocol=https\\nhost=x.example\\n" | setsid git credential fill' },
  ],
  [
    'credential.helper',
    'credential.helper !./evil.sh',
    { run: 'printf "protocol=https\\nhost=x.example\\n" | GIT_ASKPASS=true git credential fill' },
  ],
  [
    'credential of one host',
    'credential.https://x.example.helper !./evil.sh',
    { run: 'printf "protocol=https\\nhost=x.example\\n" | GIT_ASKPASS=true git credential fill' },
  ],
  ['diff.external', 'diff.external ./evil.sh', { run: 'echo y >> readme.md; git diff' }],
  ['alias', 'alias.st !./evil.sh', { run: 'git st' }],
  ['gpg.program', 'gpg.program ./evil.sh;commit.gpgSign true', 'work'],
  [
    'gpg.ssh.program',
    'gpg.format ssh;gpg.ssh.program ./evil.sh;commit.gpgSign true;user.signingKey readme.md',
    'work',
  ],
  [
    'gpg.ssh.defaultKeyCommand',
    'gpg.format ssh;gpg.ssh.defaultKeyCommand ./evil.sh;commit.gpgSign true',
    'work',
  ],
  ['gpg.program, by a tag', 'gpg.program ./evil.sh;tag.gpgSign true', { run: 'git tag -m x mine' }],
  ['remote.uploadpack', 'remote.origin.uploadpack ./evil.sh', 'remote'],
  ['remote.receivepack', 'remote.origin.receivepack ./evil.sh', 'remote'],
  ['remote.url by ext::', 'remote.origin.url "ext::sh -c ./evil.sh";protocol.ext.allow always', 'remote'],
  ['remote.pushurl by ext::', 'remote.origin.pushurl "ext::sh -c ./evil.sh";protocol.allow always', 'remote'],
  [
    'url.insteadOf by ext::',
    'url."ext::sh -c ./evil.sh #".insteadOf ../;protocol.ext.allow always',
    'remote',
  ],
  [
    'submodule.update',
    'submodule.lib.update !../evil.sh',
    { run: 'rm -rf lib/.git lib/*; git submodule update -f; git submodule update --init -f' },
  ],
  [
    'trailer.command',
    'trailer.x.key X;trailer.x.command ./evil.sh;trailer.x.ifmissing add',
    { run: 'echo | git interpret-trailers --trailer x=1' },
  ],
  [
    'trailer.cmd',
    'trailer.x.key X;trailer.x.cmd ./evil.sh',
    { run: 'git commit --allow-empty -qm x --trailer x=1' },
  ],
  ['difftool', 'diff.tool x;difftool.x.cmd ./evil.sh', { run: 'echo y >> readme.md; git difftool -y' }],
  [
    'difftool.path',
    'diff.tool vimdiff;difftool.vimdiff.path ./evil.sh',
    { run: 'echo y >> readme.md; git difftool -y' },
  ],
  [
    'mergetool',
    'merge.tool x;mergetool.x.cmd ./evil.sh',
    {
      run: 'git checkout -q other; echo z > readme.md; git commit -qam z; git checkout -q main; echo w > readme.md; git commit -qam w; git merge other; git mergetool -y',
    },
  ],
  ['tar filter', 'tar.tgz.command ./evil.sh', { run: 'git archive --format=tgz HEAD > /dev/null' }],
  ['core.editor, by a tag', 'core.editor ./evil.sh', { run: 'git tag -a -f x' }],
  ['core.editor, by a note', 'core.editor ./evil.sh', { run: 'git notes add -f' }],
  ['web.browser', 'web.browser x;browser.x.cmd ./evil.sh', { run: 'git web--browse http://localhost' }],
  ['man viewer', 'man.viewer x;man.x.cmd ./evil.sh', { run: 'git help -m status' }],
  ['core.fsmonitor, by `git diff`', 'core.fsmonitor ./evil.sh', { run: 'git diff' }],
  ['core.fsmonitor, by `git stash`', 'core.fsmonitor ./evil.sh', { run: 'echo y >> readme.md; git stash' }],
  ['filter.clean', 'filter.x.clean ./evil.sh', { run: 'echo "* filter=x" > .gitattributes; git add -A' }],
  [
    'filter.smudge',
    'filter.x.smudge ./evil.sh',
    { run: 'echo "* filter=x" > .gitattributes; rm readme.md; git checkout readme.md' },
  ],
  ['filter.process', 'filter.x.process ./evil.sh', { run: 'echo "* filter=x" > .gitattributes; git add -A' }],
  [
    'diff.textconv',
    'diff.x.textconv ./evil.sh',
    { run: 'echo "* diff=x" > .gitattributes; echo y >> readme.md; git diff' },
  ],
  [
    'diff.command',
    'diff.x.command ./evil.sh',
    { run: 'echo "* diff=x" > .gitattributes; echo y >> readme.md; git diff' },
  ],
  [
    'merge.driver',
    'merge.x.driver "./evil.sh %A"',
    {
      run: 'echo "* merge=x" > .git/info/attributes; git checkout -q other; echo z > readme.md; git commit -qam z; git checkout -q main; echo w > readme.md; git commit -qam w; git merge other',
    },
  ],
];

const byKeys = KEYS.map(([name, keys, use]): Attack => {
  const lines = keys.split(';').map((line) => {
    const [, key = '', value = ''] = /^((?:"[^"]*"|\S)+) (.*)$/.exec(line) ?? [];
    return `git config --file .git/config '${key.replaceAll('"', '')}' ${value.startsWith('"') ? value : `'${value}'`}`;
  });
  return { name, use, plant: `mkdir -p planted; cp evil.sh planted/pre-commit; ${lines.join('; ')}` };
});

/** The same key in every way in which git reads one: text of a config that is added to the repository's. */
const FORMS: Readonly<Record<string, string>> = {
  'in upper case': '[CORE]\n\tFSMONITOR = ./evil.sh\n',
  'in the line of its section': '[core] fsmonitor = ./evil.sh\n',
  'without spaces': '[core]fsmonitor=./evil.sh\n',
  'with quotes': '[core]\n\tfsmonitor = "./evil.sh"\n',
  'with half of it in quotes': '[core]\n\tfsmonitor = ./ev"il".sh\n',
  'over two lines': '[core]\n\tfsmonitor = ./ev\\\nil.sh\n',
  'behind a value that goes on': '[user]\n\tname = x\\\n[core]\n[core]\n\tfsmonitor = ./evil.sh\n',
  'behind a comment': '[core] ; harmless\n\tfsmonitor = ./evil.sh ; too\n',
  'with Windows line ends': '[core]\r\n\tfsmonitor = ./evil.sh\r\n',
  'by an include': '[include]\n\tpath = ../planted.config\n',
  'by an include in upper case': '[INCLUDE]\n\tPATH = ../planted.config\n',
  'by an include of this folder': '[includeIf "gitdir:**"]\n\tpath = ../planted.config\n',
  'by an include of this branch': '[includeIf "onbranch:**"]\n\tpath = ../planted.config\n',
  'by an include of a remote': '[includeIf "hasconfig:remote.*.url:**"]\n\tpath = ../planted.config\n',
};

const byForms: readonly Attack[] = [
  ...Object.entries(FORMS).map(([name, text]): Attack => {
    const bytes = Buffer.from(text).toString('base64');
    const plant = `printf '[core]\\n\\tfsmonitor = ./evil.sh\\n' > planted.config; echo ${bytes} | base64 -d >> .git/config`;
    return { name: `a key ${name}`, use: 'status', plant };
  }),
  {
    name: 'a key after a mark of the byte order',
    plant: `(printf '\\357\\273\\277[core]\\n\\tfsmonitor = ./evil.sh\\n'; cat .git/config) > n; mv n .git/config`,
    use: 'status',
  },
  {
    name: 'a key after 300 KB of comments',
    plant: `(echo; head -c 300000 /dev/zero | tr '\\0' '#'; printf '\\n[core]\\n\\tfsmonitor = ./evil.sh\\n') >> .git/config`,
    use: 'status',
  },
];

const HOOKS =
  'pre-commit commit-msg prepare-commit-msg post-commit post-checkout post-merge pre-push reference-transaction post-index-change pre-merge-commit';
const byHooks = HOOKS.split(' ').flatMap((hook): readonly Attack[] => [
  {
    name: `${hook} in a folder of hooks that was moved here`,
    plant: `mv .git was; cp -r was .git; mkdir -p .git/hooks; cp evil.sh .git/hooks/${hook}; chmod +x .git/hooks/${hook}`,
    use: {
      run: 'git checkout -q -b mine; git add -A; git commit -qm x --allow-empty; git checkout -q other; git commit -qm y --allow-empty; git checkout -q mine; git merge -q --no-edit other; git push -q origin mine',
    },
  },
]);

export const GIT_ATTACKS: readonly Attack[] = [...byKeys, ...byForms, ...byHooks, ...PLACES, ...TIMES];
