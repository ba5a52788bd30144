import type { ActionType, Effect } from '@sallyport/protocol';
import type { OptionTable } from './argv-parser.ts';
import { LOCAL_TABLES as T } from './git-options.ts';

/** A verb that works on this repository only and means one thing whatever its options are. */
export interface LocalVerb {
  readonly effect: Effect;
  readonly type: ActionType;
  readonly options: OptionTable;
}

function verbs(effect: Effect, type: ActionType, rows: Readonly<Record<string, OptionTable>>) {
  return Object.entries(rows).map(([verb, options]) => [verb, { effect, type, options }] as const);
}

export const LOCAL_VERBS: ReadonlyMap<string, LocalVerb> = new Map<string, LocalVerb>([
  ...verbs('read', 'vcs:read', {
    status: T.status,
    log: T.log,
    whatchanged: T.log,
    show: T.log,
    'rev-list': T.log,
    shortlog: T.shortlog,
    diff: T.log,
    'diff-tree': T.log,
    'diff-index': T.log,
    'diff-files': T.diff,
    'range-diff': T.log,
    'rev-parse': T.revParse,
    describe: T.describe,
    blame: T.blame,
    annotate: T.blame,
    grep: T.grep,
    'ls-files': T.ls,
    'ls-tree': T.ls,
    'cat-file': T.catFile,
    'merge-base': T.refs,
    'for-each-ref': T.refs,
    'show-ref': T.refs,
    'name-rev': T.refs,
    'show-branch': T.refs,
    'check-ignore': T.refs,
    'check-attr': T.refs,
    cherry: T.refs,
    'count-objects': T.refs,
    'check-ref-format': T.none,
    version: T.none,
    var: T.none,
  }),
  ...verbs('write', 'vcs:commit', {
    add: T.add,
    stage: T.add,
    rm: T.add,
    mv: T.add,
    commit: T.commit,
    restore: T.checkout,
    merge: T.merge,
    rebase: T.rebase,
    'cherry-pick': T.pick,
    revert: T.pick,
    reset: T.reset,
    clean: T.clean,
    apply: T.apply,
    am: T.apply,
    gc: T.plumbing,
    'pack-refs': T.plumbing,
    prune: T.plumbing,
    'commit-tree': T.plumbing,
    'write-tree': T.plumbing,
    'hash-object': T.plumbing,
    'update-index': T.plumbing,
    rerere: T.plumbing,
  }),
  ...verbs('write', 'vcs:branch', {
    checkout: T.checkout,
    switch: T.checkout,
    'update-ref': T.plumbing,
    replace: T.plumbing,
  }),
]);

/** Verbs that run other programs, serve or change what git will do later. The value says why. */
export const UNKNOWABLE_VERBS: ReadonlyMap<string, string> = new Map([
  ...[
    ...'filter-branch difftool mergetool mergetool--lib lfs instaweb gui citool gitk web--browse'.split(' '),
  ].map((verb) => [verb, `\`git ${verb}\` runs other programs`] as const),
  ...'hook for-each-repo maintenance fsmonitor--daemon shell daemon http-backend help bugreport diagnose'
    .split(' ')
    .map((verb) => [verb, `\`git ${verb}\` runs other programs`] as const),
  ...'upload-pack receive-pack upload-archive remote-http remote-https remote-ftp remote-ext remote-fd'
    .split(' ')
    .map((verb) => [verb, `\`git ${verb}\` speaks the protocol itself`] as const),
  ...'send-pack http-push http-fetch fetch-pack svn p4 cvsimport cvsexportcommit cvsserver archimport'
    .split(' ')
    .map((verb) => [verb, `\`git ${verb}\` reaches other servers in its own way`] as const),
  ...'fast-import unpack-objects index-pack bundle fast-export quiltimport submodule sparse-checkout'
    .split(' ')
    .map((verb) => [verb, `\`git ${verb}\` takes its orders from files`] as const),
  ...'credential credential-store credential-cache credential-manager credential-oauth'
    .split(' ')
    .map((verb) => [verb, `\`git ${verb}\` hands out or keeps secrets`] as const),
]);

/** Mail leaves through these. */
export const MAIL_VERBS: ReadonlySet<string> = new Set(['send-email', 'imap-send']);

/** Options, by their long name, that make any verb unknown. */
export const DANGEROUS_OPTIONS: ReadonlyMap<string, string> = new Map([
  ['--upload-pack', 'names the program that serves the other side'],
  ['--receive-pack', 'names the program that serves the other side'],
  ['--exec', 'runs a program'],
  ['--ext-diff', 'runs an external diff program'],
  ['--textconv', 'runs a conversion program'],
  ['--filters', 'runs a filter program'],
  ['--open-files-in-pager', 'runs a program on the files'],
  ['--config', 'sets configuration'],
  ['--template', 'copies hooks'],
  ['--bundle-uri', 'fetches from another address'],
  ['--unsafe-paths', 'writes outside the work tree'],
  ['--build-fake-ancestor', 'writes a file'],
]);
