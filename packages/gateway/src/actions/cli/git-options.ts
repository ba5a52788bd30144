import { type OptionRows, type OptionTable, optionTable } from './argv-parser.ts';

/** Options before the verb. git takes no abbreviations here. */
export const GIT_GLOBAL_OPTIONS: OptionTable = optionTable({
  none: `-p|--paginate -P|--no-pager --bare --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice
    --literal-pathspecs --glob-pathspecs --noglob-pathspecs --icase-pathspecs -v|--version -h|--help --html-path
    --man-path --info-path`,
  value: '-C -c --git-dir --work-tree --namespace --super-prefix --config-env --attr-source --list-cmds',
  maybe: '--exec-path',
});

/** What `git diff --git-completion-helper-all` prints, and its short forms. */
export const DIFF_OPTIONS: OptionRows = {
  none: `-p|-u|--patch -s|--no-patch -W|--function-context --raw --patch-with-raw --patch-with-stat --numstat --shortstat
    --cumulative --check --summary --name-only --name-status --compact-summary --binary --full-index --no-prefix
    --default-prefix --irreversible-delete -D --find-copies-harder --no-renames --rename-empty --follow --minimal
    -w|--ignore-all-space -b|--ignore-space-change --ignore-space-at-eol --ignore-cr-at-eol --ignore-blank-lines
    --indent-heuristic --patience --histogram -a|--text --exit-code -q|--quiet --ext-diff --textconv
    --ita-invisible-in-index --ita-visible-in-index --pickaxe-all --pickaxe-regex -z -R --cached --staged --no-index
    --merge-base --base --ours --theirs --cc -c --combined-all-paths -1 -2 -3 -0 --remerge-diff`,
  value: `--stat-width --stat-name-width --stat-graph-width --stat-count --ws-error-highlight --src-prefix --dst-prefix
    --line-prefix --inter-hunk-context --output-indicator-new --output-indicator-old --output-indicator-context
    -I|--ignore-matching-lines --diff-algorithm --anchored --color-moved-ws --rotate-to --skip-to --find-object
    --diff-filter --output -S -G -O --max-depth`,
  maybe: `-U|--unified -X|--dirstat --dirstat-by-file --stat --color --abbrev -B|--break-rewrites -M|--find-renames
    -C|--find-copies -l --word-diff --word-diff-regex --color-words --color-moved --relative --ignore-submodules
    --submodule --diff-merges`,
};

/** Options of `git rev-list` and `git log` that walk and format. */
export const LOG_OPTIONS: OptionRows = {
  none: `--source --use-mailmap --mailmap --clear-decorations --oneline --graph --all --reverse --merges --no-merges
    --first-parent --exclude-first-parent-only --date-order --author-date-order --topo-order --full-history --dense
    --sparse --simplify-merges --simplify-by-decoration --show-pulls --left-right --left-only --right-only --cherry
    --cherry-pick --cherry-mark -g|--walk-reflogs --merge --boundary --parents --children --timestamp --abbrev-commit
    --relative-date --log-size --show-signature --show-linear-break -i|--regexp-ignore-case -E|--extended-regexp
    -F|--fixed-strings -P|--perl-regexp --basic-regexp --all-match --invert-grep --reflog --stdin --bisect --not
    --ignore-missing --count --quiet --objects --root -t -m --dd --full-diff --standard-notes --encode-email-headers
    --no-walk --do-walk --no-min-parents --no-max-parents --no-commit-id -r --in-commit-order --expand-tabs --no-notes`,
  value: `--decorate-refs --decorate-refs-exclude -n|--max-count --skip --since --after --until --before --author
    --committer --grep --grep-reflog --min-parents --max-parents --date --encoding --exclude --exclude-hidden -L
    --since-as-filter --max-age --min-age`,
  maybe: `--decorate --pretty --format --notes --show-notes --branches --tags --remotes --glob --ancestry-path
    --no-walk --expand-tabs`,
};

const QUIET = '-q|--quiet -v|--verbose --progress';
const TRANSPORT: OptionRows = {
  none: `${QUIET} -4|--ipv4 -6|--ipv6`,
  value:
    '--upload-pack --server-option --depth --shallow-since --shallow-exclude --deepen --refmap --negotiation-tip --filter',
};
const PATHSPEC: OptionRows = { none: '--pathspec-file-nul', value: '--pathspec-from-file' };
const MERGE: OptionRows = {
  none: `-n --summary --squash --commit -e|--edit --ff --ff-only --verify --verify-signatures --autostash --signoff
    --allow-unrelated-histories --rerere-autoupdate --stat --overwrite-ignore`,
  value: '-s|--strategy -X|--strategy-option --cleanup',
  maybe: '--log -S|--gpg-sign',
};
const SEQUENCE = '--continue --abort --skip --quit';

export const FETCH_TABLE = optionTable(TRANSPORT, {
  none: `--all --set-upstream -a|--append --atomic -f|--force -m|--multiple -t|--tags --prefetch -p|--prune -P|--prune-tags
    --dry-run --write-fetch-head -k|--keep -u|--update-head-ok --unshallow --refetch --update-shallow --negotiate-only
    --auto-maintenance --auto-gc --show-forced-updates --write-commit-graph --stdin --porcelain -n`,
  value: '-j|--jobs --submodule-prefix --recurse-submodules-default -o|--server-option --bundle-uri',
  maybe: '--recurse-submodules',
});
export const PULL_TABLE = optionTable(TRANSPORT, MERGE, {
  none: `--all -a|--append -f|--force -t|--tags -p|--prune --dry-run -k|--keep --unshallow --update-shallow
    --show-forced-updates --set-upstream`,
  value: '-o|--server-option',
  maybe: '-r|--rebase --recurse-submodules -j|--jobs',
});
export const CLONE_TABLE = optionTable(TRANSPORT, {
  none: `-n|--no-checkout --checkout --reject-shallow --bare --naked --mirror -l|--local --hardlinks -s|--shared --dissociate
    --single-branch --shallow-submodules --also-filter-submodules --remote-submodules --sparse --tags`,
  value: `-j|--jobs --template --reference --reference-if-able -o|--origin -b|--branch -u|--upload-pack --separate-git-dir
    -c|--config --bundle-uri --ref-format --revision`,
  maybe: '--recurse-submodules --recursive',
});
export const LS_REMOTE_TABLE = optionTable({
  none: '-q|--quiet -t|--tags -h|--heads|--branches --refs --get-url --exit-code --symref',
  value: '--upload-pack --exec --sort -o|--server-option',
});
export const PUSH_TABLE = optionTable({
  none: `${QUIET} --all --branches --mirror -d|--delete --tags -n|--dry-run --porcelain -f|--force --force-if-includes --thin
    -u|--set-upstream --prune --no-verify --verify --follow-tags --atomic -4|--ipv4 -6|--ipv6`,
  value: '--repo --recurse-submodules --receive-pack --exec -o|--push-option',
  maybe: '--force-with-lease --signed',
});

const table = optionTable;
/** Options of verbs that only work on this repository. */
export const LOCAL_TABLES = {
  diff: table(DIFF_OPTIONS),
  log: table(DIFF_OPTIONS, LOG_OPTIONS),
  shortlog: table(DIFF_OPTIONS, LOG_OPTIONS, {
    none: '-n|--numbered -s|--summary -e|--email -c|--committer',
    value: '--group',
    maybe: '-w',
  }),
  none: table({}),
  status: table({
    none: '-v|--verbose -s|--short -b|--branch --show-stash --ahead-behind --long -z|--null --renames',
    maybe: '--porcelain -u|--untracked-files --ignored --ignore-submodules --column -M|--find-renames',
  }),
  revParse: table({
    none: `--parseopt --sq-quote --keep-dashdash --stop-at-non-option --stuck-long --verify -q|--quiet --sq --short --not
      --symbolic --symbolic-full-name --all --local-env-vars --is-inside-git-dir --is-inside-work-tree --is-bare-repository
      --is-shallow-repository --git-dir --absolute-git-dir --git-common-dir --show-toplevel --show-cdup --show-prefix
      --show-superproject-working-tree --shared-index-path --revs-only --no-revs --flags --no-flags`,
    value:
      '--default --prefix --git-path --resolve-git-dir --path-format --since --after --until --before --exclude',
    maybe:
      '--abbrev-ref --short --branches --tags --remotes --glob --disambiguate --show-object-format --show-ref-format',
  }),
  describe: table({
    none: '--contains --debug --all --tags --long --first-parent --exact-match --always',
    value: '--candidates --match --exclude',
    maybe: '--abbrev --dirty --broken',
  }),
  blame: table({
    none: `--incremental --root --show-stats --progress --score-debug -f|--show-name -n|--show-number -p|--porcelain
      --line-porcelain -e|--show-email --color-lines --color-by-age --minimal -w -b -c -t -l -s`,
    value: '--ignore-rev --ignore-revs-file --contents -L -S --since --date',
    maybe: '--abbrev -M -C',
  }),
  grep: table({
    none: `--cached --untracked --exclude-standard -v|--invert-match -i|--ignore-case -w|--word-regexp -a|--text -I --textconv
      -r|--recursive -E|--extended-regexp -G|--basic-regexp -F|--fixed-strings -P|--perl-regexp -n|--line-number --column
      --full-name -l|--files-with-matches --name-only -L|--files-without-match -z|--null -o|--only-matching -c|--count --break
      --heading -p|--show-function -W|--function-context --and --or --not -q|--quiet --all-match --ext-grep --index -h -H
      --recurse-submodules`,
    value: '-C|--context -B|--before-context -A|--after-context --threads --max-depth -e -f -m|--max-count',
    maybe: '-O|--open-files-in-pager --color',
  }),
  ls: table({
    none: `-c|--cached -d|--deleted -m|--modified -o|--others -i|--ignored -s|--stage -k|--killed --directory --eol
      --empty-directory -u|--unmerged --resolve-undo --exclude-standard --full-name --recurse-submodules --error-unmatch
      --debug --deduplicate --sparse -t -v -f -z -r -l|--long --name-only --name-status --object-only --full-tree`,
    value: '-x|--exclude -X|--exclude-from --exclude-per-directory --with-tree --format',
    maybe: '--abbrev',
  }),
  catFile: table({
    none: `-t -s -e -p --allow-unknown-type --use-mailmap --mailmap --batch-all-objects --buffer --follow-symlinks --unordered
      --textconv --filters -z -Z`,
    value: '--path --filter',
    maybe: '--batch --batch-check --batch-command',
  }),
  refs: table({
    none: `--all --octopus --independent --is-ancestor --fork-point --ignore-case --head --heads --branches --tags --verify
      -d|--dereference -q|--quiet --exists --name-only --always --undefined -a -v|--verbose --contains --exclude-existing
      --include-root-refs --omit-empty -s -p -n --no-index -z --stdin --no-dual-color`,
    value: '--count --format --sort --points-at --exclude --refs --creation-factor --range-diff',
    maybe: '--color --merged --contains --abbrev --hash',
  }),
  branch: table({
    none: `-v|--verbose -q|--quiet -a|--all -r|--remotes -l|--list -d|--delete -D -m|--move -M -c|--copy -C --show-current
      --create-reflog --edit-description -f|--force --unset-upstream -i|--ignore-case --recurse-submodules --omit-empty
      --set-upstream`,
    value: '-u|--set-upstream-to --sort --points-at --format',
    unlessLast: '--contains --no-contains --merged --no-merged --with --without',
    maybe: '-t|--track --color --abbrev --column',
  }),
  tag: table({
    none: `-l|--list -d|--delete -v|--verify -a|--annotate -e|--edit -s|--sign -f|--force --create-reflog -i|--ignore-case
      --omit-empty`,
    value: '-m|--message -F|--file --cleanup -u|--local-user --sort --format --trailer',
    unlessLast: '--contains --no-contains --merged --no-merged --with --without --points-at',
    maybe: '-n --color --column',
  }),
  add: table(PATHSPEC, {
    none: `-n|--dry-run -v|--verbose -i|--interactive -p|--patch -e|--edit -f|--force -u|--update --renormalize
      -N|--intent-to-add -A|--all --ignore-removal --refresh --ignore-errors --ignore-missing --sparse --warn-embedded-repo
      -r --cached -q|--quiet --ignore-unmatch -k`,
    value: '--chmod',
  }),
  commit: table(PATHSPEC, {
    none: `-q|--quiet -v|--verbose --reset-author -s|--signoff -e|--edit --status -a|--all -i|--include --interactive -p|--patch
      -o|--only -n|--no-verify --dry-run --short --branch --ahead-behind --porcelain --long -z|--null --amend --allow-empty
      --allow-empty-message --verify --post-rewrite`,
    value: `-F|--file --author --date -m|--message -c|--reedit-message -C|--reuse-message --fixup --squash --trailer
      -t|--template --cleanup`,
    maybe: '-S|--gpg-sign -u|--untracked-files',
  }),
  checkout: table(PATHSPEC, {
    none: `--guess --overlay -q|--quiet --progress -m|--merge -d|--detach -f|--force --overwrite-ignore
      --ignore-other-worktrees -2|--ours -3|--theirs -p|--patch --ignore-skip-worktree-bits --discard-changes -S|--staged
      -W|--worktree --ignore-unmerged -l`,
    value: '--conflict --orphan -b -B -c|--create -C|--force-create -s|--source',
    maybe: '-t|--track --recurse-submodules',
  }),
  merge: table(MERGE, { none: `${QUIET} ${SEQUENCE}`, value: '-m|--message -F|--file --into-name' }),
  rebase: table(MERGE, {
    none: `${QUIET} ${SEQUENCE} --keep-base --committer-date-is-author-date --reset-author-date --ignore-date
      --ignore-whitespace -f|--force-rebase --edit-todo --show-current-patch --apply -m|--merge -i|--interactive
      --preserve-merges --keep-empty -k --autosquash --update-refs --allow-empty-message --fork-point --root
      --reschedule-failed-exec --reapply-cherry-picks`,
    value: '--onto --whitespace -C --empty -x|--exec',
    maybe: '-r|--rebase-merges',
  }),
  pick: table(MERGE, {
    none: `${SEQUENCE} -n|--no-commit -x -s|--signoff --allow-empty --allow-empty-message --keep-redundant-commits --reference
      --edit`,
    value: '-m|--mainline --empty',
  }),
  reset: table(PATHSPEC, {
    none: '-q|--quiet --mixed --soft --hard --merge --keep -p|--patch -N|--intent-to-add --refresh',
    maybe: '--recurse-submodules',
  }),
  clean: table({
    none: '-q|--quiet -n|--dry-run -f|--force -i|--interactive -d -x -X',
    value: '-e|--exclude',
  }),
  stash: table(PATHSPEC, DIFF_OPTIONS, LOG_OPTIONS, {
    none: `-k|--keep-index --index -q|--quiet -a|--all -u|--include-untracked -S|--staged -p|--patch --only-untracked --print`,
    value: '-m|--message',
  }),
  apply: table({
    none: `--stat --numstat --summary --check --index -N|--intent-to-add --cached --apply -3|--3way --ignore-space-change
      --ignore-whitespace -R|--reverse --unidiff-zero --reject --allow-overlap -v|--verbose -q|--quiet --inaccurate-eof
      --recount --allow-empty -z ${SEQUENCE} -i|--interactive -s|--signoff -k|--keep --keep-cr -c|--scissors --unsafe-paths`,
    value: '--exclude --include -p -C --whitespace --directory --patch-format --empty --build-fake-ancestor',
    maybe: '--show-current-patch -S|--gpg-sign',
  }),
  plumbing: table({
    none: '-q|--quiet -d|--delete --short --recurse --prune --auto --force --aggressive -v|--verbose -f -n --dry-run -z -w',
    value: '-m --ref -F --message -t',
    maybe: '--prune',
  }),
  init: table({
    none: '-q|--quiet --bare',
    value: '--template --separate-git-dir -b|--initial-branch --object-format --ref-format',
    maybe: '--shared',
  }),
  archive: table({
    none: '-l|--list -v|--verbose -0 -1 -2 -3 -4 -5 -6 -7 -8 -9 --worktree-attributes',
    value: '--format --prefix -o|--output --remote --exec --add-file --add-virtual-file --mtime',
  }),
  formatPatch: table(DIFF_OPTIONS, {
    none: `-n|--numbered -N|--no-numbered -s|--signoff --stdout --cover-letter --numbered-files -k|--keep-subject --zero-commit
      --ignore-if-in-upstream --progress --force-in-body-from --no-stat --root`,
    value: `--suffix --start-number -v|--reroll-count --filename-max-length --subject-prefix -o|--output-directory --add-header
      --to --cc --in-reply-to --signature --base --signature-file --interdiff --range-diff --creation-factor
      --cover-from-description --description-file`,
    maybe: '--rfc --from --attach --inline --thread',
  }),
  worktree: table({
    none: '-f|--force -d|--detach --checkout --lock -q|--quiet --guess-remote -n|--dry-run -v|--verbose -z --porcelain --orphan',
    value: '-b -B --reason --expire',
    maybe: '--track',
  }),
  remote: table({
    none: '-v|--verbose -t -m -f --push --all --add --delete -a|--auto -d -n -p|--prune',
    value: '',
  }),
  config: table({
    none: `--global --system --local --worktree --get --get-all --get-regexp --get-urlmatch --replace-all --add --unset
      --unset-all --rename-section --remove-section -l|--list --fixed-value -e|--edit --get-color --get-colorbool --bool --int
      --bool-or-int --bool-or-str --path --expiry-date -z|--null --name-only --includes --show-origin --show-scope --all
      --show-names --regexp`,
    value: '-f|--file --blob --type --default --url --value --comment',
  }),
} as const satisfies Record<string, OptionTable>;
