import type { RefChange } from '@sallyport/protocol';
import { type CliCases, REMOTE_WRITE, rows } from './cli-case.ts';

const heads = (name: string, change: RefChange['change']): RefChange => ({
  ref: `refs/heads/${name}`,
  change,
});
const any = (change: RefChange['change']): RefChange => ({ ref: '*', change });
const push = { ...REMOTE_WRITE, type: 'vcs:push', risk: 'high' } as const;

export const GIT_PUSH_CASES: CliCases = {
  friendly: rows(push, [
    [
      'git push origin ana/fix ana/other',
      'two branches',
      {
        refs: [heads('ana/fix', 'update'), heads('ana/other', 'update')],
      },
    ],
    [
      'git push https://github.com/acme/app HEAD:refs/heads/ana/fix',
      'a full name',
      {
        refs: [heads('ana/fix', 'update')],
        repository: 'github.com/acme/app',
      },
    ],
    [
      'git push origin tag v1',
      'the long way to say a tag',
      { refs: [{ ref: 'refs/tags/v1', change: 'update' }] },
    ],
    [
      'git push --no-verify origin ana/fix',
      'a negative name of its own',
      { refs: [heads('ana/fix', 'update')] },
    ],
  ]),
  hostile: rows(push, [
    ['git push', 'configuration decides what moves', { refs: [any('unknown')] }],
    ['git push origin', 'the same with a remote', { refs: [any('unknown')] }],
    ['git push origin HEAD', 'the current branch, whichever it is', { refs: [any('unknown')] }],
    ['git push origin @', 'the other name of HEAD', { refs: [any('unknown')] }],
    ...['-o merge_request.create', '-omerge_request.create', '--push-option=merge_request.create'].map(
      (option) =>
        [
          `git push ${option} origin ana/fix`,
          '[NE-13] orders for the server',
          { refs: [heads('ana/fix', 'update')], options: ['merge_request.create'] },
        ] as const,
    ),
    [
      'git push --push-opt ci.skip -o b origin ana/fix --no-push-option',
      '[NE-13] shortened, and taking it back is not believed',
      { refs: [heads('ana/fix', 'update')], options: ['ci.skip', 'b'] },
    ],
    [
      'git push https://github.com/acme/app x:refs/heads/agent/./x',
      'a name that git refuses stays as it is: the gate knows',
      { refs: [heads('agent/./x', 'update')] },
    ],
    ['git push origin HEAD:main', 'another name on the other side', { refs: [heads('main', 'update')] }],
    [
      'git push origin ana/fix:main',
      'an owned source, a protected target',
      { refs: [heads('main', 'update')] },
    ],
    ['git push origin HEAD:heads/main', 'git completes the name', { refs: [heads('main', 'update')] }],
    ['git push origin +main', 'a plus forces', { refs: [heads('main', 'force')] }],
    ['git push origin +HEAD:ana/fix', 'a plus forces with a target', { refs: [heads('ana/fix', 'force')] }],
    ['git push origin :main', 'nothing pushed there deletes', { refs: [heads('main', 'delete')] }],
    ['git push origin +:main', 'deletes with a plus', { refs: [heads('main', 'delete')] }],
    ['git push origin --delete ana/fix', 'deletes, after the remote', { refs: [heads('ana/fix', 'delete')] }],
    ['git push -d origin ana/fix', 'deletes, short', { refs: [heads('ana/fix', 'delete')] }],
    ['git push --del origin ana/fix', 'deletes, shortened', { refs: [heads('ana/fix', 'delete')] }],
    ['git push -f origin ana/fix', 'forces, short', { refs: [heads('ana/fix', 'force')] }],
    ['git push -uf origin ana/fix', 'forces, in a cluster', { refs: [heads('ana/fix', 'force')] }],
    ['git push origin ana/fix --force', 'forces, at the end', { refs: [heads('ana/fix', 'force')] }],
    [
      'git push --force-with-lease origin ana/fix',
      'a polite force is a force',
      { refs: [heads('ana/fix', 'force')] },
    ],
    [
      'git push --force-with-lease=ana/fix:abc origin ana/fix',
      'with a value',
      { refs: [heads('ana/fix', 'force')] },
    ],
    [
      'git push --force --no-force origin ana/fix',
      'taking it back is not believed',
      {
        refs: [heads('ana/fix', 'force')],
      },
    ],
    ['git push -f', 'forces what configuration decides', { refs: [any('force')] }],
    [
      'git push --mirror origin',
      'everything, forced, with deletions',
      { refs: [any('delete'), any('force')] },
    ],
    ['git push --all origin', 'every branch', { refs: [any('update')] }],
    [
      'git push --tags origin',
      'tags, and what configuration decides',
      {
        refs: [{ ref: 'refs/tags/*', change: 'update' }, any('unknown')],
      },
    ],
    [
      'git push --follow-tags origin ana/fix',
      'tags come along',
      {
        refs: [heads('ana/fix', 'update'), { ref: 'refs/tags/*', change: 'update' }],
      },
    ],
    [
      'git push --prune origin ana/fix',
      'deletes what is not here',
      { refs: [heads('ana/fix', 'update'), any('delete')] },
    ],
    [
      'git push origin ana/fix main',
      'an owned and a protected one',
      {
        refs: [heads('ana/fix', 'update'), heads('main', 'update')],
      },
    ],
    ['git push origin :', 'everything that has the same name', { refs: [any('unknown')] }],
    ['git push origin refs/heads/*:refs/heads/*', 'a pattern', { refs: [any('unknown')] }],
    ['git push origin +refs/heads/*:refs/heads/*', 'a pattern, forced', { refs: [any('force')] }],
    [
      'git push --recurse-submodules=on-demand origin ana/fix',
      'other repositories move too',
      {
        refs: [heads('ana/fix', 'update'), any('unknown')],
      },
    ],
    [
      'git push --repo=https://github.com/acme/app',
      'the address as an option',
      {
        repository: 'github.com/acme/app',
        refs: [any('unknown')],
      },
    ],
    [
      'git push https://ana:pw@GitHub.com./acme/app.git main',
      'the host is normalised',
      {
        repository: 'github.com/acme/app',
      },
    ],
    ['git push ../other.git main', 'a folder is no known repository', { refs: [heads('main', 'update')] }],
    ['git push -- origin main', 'dashes change nothing', { refs: [heads('main', 'update')] }],
    [
      'git push -o ci.skip origin main',
      'the value of -o is no remote',
      { refs: [heads('main', 'update')], options: ['ci.skip'] },
    ],
  ]),
};
