import { pushOperation, readPush } from '../../actions/index.ts';
import type { GitAddress } from '../wrappers/git.ts';
import type { CommandExtras } from './command-action.ts';

/**
 * What the first bytes of a push add to its words: the refs that it moves, how, and its options. `nothing`: git only looks.
 *
 * `prefix` is everything before the pack and as much of the pack as the caller holds; the more, the more updates are proven to
 * lose nothing. `complete`: nothing follows.
 */
export function pushExtras(
  { repository }: GitAddress,
  prefix: Uint8Array,
  complete: boolean,
): CommandExtras | 'nothing' {
  const push = readPush(prefix, complete);
  if (push.kind === 'probe') return 'nothing';
  const { refs, options, pipeline } = push;
  const names = refs.map(({ ref }) => ref.replace(/^refs\/heads\//, ''));
  const lines = [
    ...refs.map(({ ref, change }) => `${change} ${ref}`),
    ...options.map((option) => `option ${option}`),
    ...(pipeline ? ['it changes what pipelines run'] : []),
  ];
  return {
    repo: {
      ...{ repository, area: 'contents', refs },
      ...(options.length === 0 ? {} : { options }),
      ...(pipeline ? { pipeline } : {}),
    },
    intent: {
      operation: pushOperation(refs, options),
      object: [repository, ...names.sort()].join(' '),
      type: refs.every(({ change }) => change === 'delete') ? 'vcs:branch' : 'vcs:push',
      risk: pipeline ? 'critical' : 'high',
    },
    shown: lines.join('\n'),
  };
}
