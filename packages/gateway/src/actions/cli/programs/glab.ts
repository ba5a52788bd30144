import type { CliTable } from '../table/cli-table.ts';

/** From `glab --help` (1.4x to 1.6x). A word that is in no row may be an alias, so any program. */
export const GLAB: CliTable = {
  style: { shortEquals: true },
  globals: { none: '-h|--help -v|--version', value: '-R|--repo -g|--group --hostname' },
  options: {
    none: `-a|--all --assignee-me -c|--comments --closed --merged --opened --draft -d|--delete-source-branch -s|--system-logs
      -w|--web --unresolved --active --raw --color-off -l|--live --include-sub-groups --mine --member --owned --starred
      --archived --compact -y|--yes -f|--fill --squash-before-merge --squash -r|--rebase --remove-source-branch
      --allow-collaboration --ready --wip --lock-discussion --unlock-discussion --confidential --no-editor --recover
      --preserve-namespace --paginate --silent -i|--include --auto-merge --when-pipeline-succeeds --skip-if-exists
      --private --public --internal --force --dry-run --follow --with-job-details --issue-only --unique --wait`,
    value: `--author --assignee -A --reviewer --label -l --not-label --milestone -m --search --in -P|--per-page -p|--page
      --output -F|--output-format -O --output-dir --order --sort -S --state --source-branch --target-branch -t|--title
      --description -b|--branch --ref --status --scope --name --tag --notes -N --notes-file --assets-links --assets-files
      --created-before --created-after --updated-after --iteration --epic --weight --due-date --message -X|--method
      --field --raw-field --header -H --input --cache --key --value --type --environment-scope --variables --token`,
  },
  own: {
    api: {
      value: '-F|--field -f|--raw-field -H|--header -X|--method --input',
      none: '-i|--include --paginate --silent',
    },
    'mr list, issue list': {
      value: '-l|--label -m|--milestone -F|--output -s|--source-branch -t|--target-branch',
    },
    'ci trace, ci view': { value: '-b|--branch -p|--pipeline-id' },
  },
  rows: {
    look: 'version, help, completion, config get, alias list, check-update',
    ask: `mr list|ls, mr view|show, mr diff, mr approvers, mr issues, mr note list, issue list|ls, issue view|show, issue board view,
      repo|project list|ls, repo|project view, repo|project search|find|lookup, repo|project contributors, ci list, ci view,
      ci status|stats, ci trace, ci get, ci lint, job artifact-list, release list|ls, release view, label list|ls, label get,
      milestone list, milestone get, iteration list, snippet list, snippet view, user events, schedule list, variable list|ls,
      cluster agent list, incident list|ls, incident view, deploy-key list, ssh-key list, gpg-key list, token list,
      auth status, changelog generate, stack list, opentofu state list`,
    fetch:
      'repo|project clone, mr checkout, repo|project archive, release download, ci artifact|artifacts, job artifact, stack sync',
    send: `mr create|new, mr update, mr close, mr reopen, mr approve, mr revoke, mr subscribe, mr unsubscribe, mr todo, mr for,
      mr rebase, issue create|new, issue update, issue close, issue reopen, issue subscribe, issue unsubscribe, issue board create,
      label create, label edit, label delete, milestone create, milestone edit, milestone delete, snippet create, release create,
      release upload, repo|project create|new, repo|project fork, repo|project update, repo|project mirror, incident close,
      incident reopen, incident subscribe, incident unsubscribe, stack create, stack save, stack amend`,
    message: 'mr note, issue note, incident note, mr comment',
    push: 'mr merge|accept, stack switch',
    critical: `ci run, ci run-trig, ci trigger, ci retry, ci cancel, schedule create, schedule run, schedule update, repo|project delete, repo|project transfer, repo|project members add, repo|project members remove,
      repo|project publish catalog, mr delete|del, issue delete|del, release delete, schedule delete, ci delete, variable set|new|create,
      variable get, variable update, variable delete|remove, variable export, securefile create, securefile download,
      securefile list, securefile remove, deploy-key add, deploy-key delete, deploy-key get, ssh-key add, ssh-key get,
      ssh-key delete, gpg-key add, gpg-key delete, token create, token rotate, token revoke, auth login, auth logout,
      auth configure-docker, auth docker-helper, cluster agent get-token, cluster agent update-kubeconfig,
      cluster agent bootstrap, cluster graph, duo ask, duo update`,
  },
  unknowable: {
    'alias set, alias delete': '`glab alias` makes a word mean any program',
    'config set, config edit': 'a setting of glab can name programs that later run',
    'repo|project browse': 'it opens a browser',
    api: 'a request that is written by hand',
  },
  where: '--repo --group --hostname --branch --ref',
  repository: '--repo',
  // The branch that a merge request is made from is what it holds.
  texts: '--title --description --message --notes --search --source-branch',
  places: '--output-dir --notes-file',
  traps: {
    '--web': 'opens a browser',
    '--token': 'uses other credentials',
    '--input --field': 'may send a file',
  },
};
