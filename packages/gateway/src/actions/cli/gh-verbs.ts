import { type OptionTable, optionTable } from './argv-parser.ts';

/** Second words that only look, by group. `ls` is gh's own alias of `list`. */
export const GH_READS: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    pr: 'list ls view status diff checks',
    issue: 'list ls view status',
    repo: 'list ls view',
    run: 'list ls view watch',
    workflow: 'list ls view',
    release: 'list ls view',
    gist: 'list ls view',
    project: 'list ls view',
    label: 'list ls',
    cache: 'list ls',
    ruleset: 'list ls view check',
    org: 'list ls',
    codespace: 'list ls view',
    search: 'repos issues prs code commits',
  }).map(([group, verbs]) => [group, new Set(verbs.split(' '))] as const),
);

/** Second words that change something and are known to; any other may be an extension or an alias. */
export const GH_WRITES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    pr: 'create new close reopen comment edit merge ready review lock unlock update-branch revert',
    issue: 'create new close reopen comment edit delete lock unlock pin unpin transfer develop',
    repo: 'create new clone delete edit fork rename archive unarchive sync set-default deploy-key autolink',
    run: 'cancel delete download rerun',
    workflow: 'run enable disable',
    release: 'create new delete delete-asset download edit upload verify verify-asset',
    gist: 'create new clone delete edit rename',
    project: `close copy create delete edit field-create field-delete item-add item-archive item-create item-delete
      item-edit link mark-template unlink`,
    label: 'clone create edit delete',
    cache: 'delete',
    variable: 'delete get list ls set',
    attestation: 'download verify trusted-root',
  }).map(([group, verbs]) => [group, new Set(verbs.split(/\s+/))] as const),
);

/** Brings a branch of somebody's here, as `git fetch` and `git switch` do. Options that lead elsewhere are not listed. */
export const GH_FETCHES: ReadonlyMap<string, OptionTable> = new Map(
  ['pr checkout', 'pr co'].map((path) => [
    path,
    optionTable({ none: '-h|--help --detach', value: '-R|--repo -b|--branch' }),
  ]),
);

/** Groups that deal in credentials or in what `gh` itself will do. */
export const GH_CRITICAL: ReadonlyMap<string, string | undefined> = new Map([
  ['auth', undefined],
  ['secret', undefined],
  ['ssh-key', undefined],
  ['gpg-key', undefined],
  ['codespace', undefined],
  ['alias', '`gh alias` makes a word mean any program'],
  ['extension', '`gh extension` installs or runs programs'],
  ['config', '`gh config` can name programs that later run'],
  ['browse', '`gh browse` opens a browser'],
]);

/** Options of the reading verbs. */
export const GH_READ_OPTIONS: OptionTable = optionTable({
  none: `-h|--help --archived --no-archived -c|--comments -d|--draft --fork --source -w|--web --watch --fail-fast --required
    --name-only --patch --log --log-failed -v|--verbose --exit-status --compact -r|--raw --files -y|--yaml --closed
    --exclude-drafts --exclude-pre-releases --public --secret --merged --locked --no-assignee --no-label --no-milestone
    --no-project --include-prs --include-forks --owner-only --parents --org-only --created-by-me --show-token`,
  value: `-R|--repo -L|--limit -s|--state -l|--label -A|--author -a|--assignee -B|--base -H|--head -S|--search -m|--milestone
    --app --mention --json -q|--jq -t|--template --color -b|--branch -u|--user -e|--event -j|--job --attempt --commit
    --created --status --workflow -i|--interval --language --topic --visibility -O|--order --sort -k|--key --ref --owner
    --org -f|--filename --format --match --repo-owner --extension --size --stars --updated --followers --forks --license
    --number-topics --good-first-issues --help-wanted-issues --checks --review --review-requested --reviewed-by
    --involves --interactions --reactions --team-mentions --commenter --hash --author-name --author-email --author-date
    --committer --committer-date --tree --parent --exclude`,
});

/** Options of `gh api`. */
export const GH_API_OPTIONS: OptionTable = optionTable({
  none: '-h|--help -i|--include --paginate --slurp --silent --verbose',
  value: `-X|--method -f|--raw-field -F|--field --input -H|--header --hostname -p|--preview -q|--jq -t|--template
    --cache`,
});

/** Options that say which repository and which ref a write is about. */
export const GH_TARGET_OPTIONS: OptionTable = optionTable({
  none: '-h|--help -d|--delete-branch --force --json',
  value: '-R|--repo -r|--ref -b|--branch -f|--raw-field -F|--field -s|--source',
});

/** Options of `gh pr merge`, where the same letters mean other things. */
export const GH_MERGE_OPTIONS: OptionTable = optionTable({
  none: '-h|--help -d|--delete-branch --admin --auto --disable-auto -m|--merge -r|--rebase -s|--squash',
  value: '-R|--repo -A|--author-email -b|--body -F|--body-file --match-head-commit -t|--subject',
});

const WRITTEN = '-R|--repo -b|--body -F|--body-file';
const CREATED = `${WRITTEN} -t|--title -a|--assignee -l|--label -m|--milestone -p|--project --recover -T|--template`;
const EDITED = `${WRITTEN} -t|--title -m|--milestone --add-assignee --add-label --add-project --remove-assignee --remove-label
  --remove-project`;
const CLOSED = { none: '-h|--help', value: '-R|--repo -c|--comment' };

/** Options of the writes that people use most, each with its own letters: for naming what they are done to. */
export const GH_OBJECT_OPTIONS: ReadonlyMap<string, OptionTable> = new Map(
  Object.entries({
    'pr create': {
      none: '-h|--help -d|--draft -f|--fill --fill-first --fill-verbose --no-maintainer-edit --dry-run',
      value: `${CREATED} -B|--base -H|--head -r|--reviewer`,
    },
    'pr edit': { none: '-h|--help', value: `${EDITED} -B|--base --add-reviewer --remove-reviewer` },
    'pr comment': { none: '-h|--help --edit-last', value: WRITTEN },
    'pr review': { none: '-h|--help -a|--approve -c|--comment-only -r|--request-changes', value: WRITTEN },
    'pr close': { none: '-h|--help -d|--delete-branch', value: '-R|--repo -c|--comment' },
    'pr reopen': CLOSED,
    'pr ready': { none: '-h|--help --undo', value: '-R|--repo' },
    'pr merge': {
      none: '-h|--help -d|--delete-branch --admin --auto --disable-auto -m|--merge -r|--rebase -s|--squash',
      value: '-R|--repo -A|--author-email -b|--body -F|--body-file --match-head-commit -t|--subject',
    },
    'issue create': { none: '-h|--help', value: CREATED },
    'issue edit': { none: '-h|--help', value: EDITED },
    'issue comment': { none: '-h|--help --edit-last', value: WRITTEN },
    'issue close': { none: '-h|--help', value: '-R|--repo -c|--comment -r|--reason' },
    'issue reopen': CLOSED,
    'release create': {
      none: '-h|--help -d|--draft --generate-notes --latest -p|--prerelease --verify-tag --notes-from-tag',
      value:
        '-R|--repo --discussion-category -n|--notes -F|--notes-file --notes-start-tag --target -t|--title',
    },
    'run rerun': { none: '-h|--help -d|--debug --failed', value: '-R|--repo -j|--job' },
    'run cancel': { none: '-h|--help', value: '-R|--repo' },
    'workflow run': { none: '-h|--help --json', value: '-R|--repo -r|--ref -f|--raw-field -F|--field' },
    'label create': { none: '-h|--help -f|--force', value: '-R|--repo -c|--color -d|--description' },
  }).map(([path, rows]) => [path, optionTable(rows)] as const),
);
