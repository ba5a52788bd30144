import type { Action } from '@sallyport/protocol';
import { bash, fact } from '../../src/gate/gate.fixture.ts';

let made = 0;

/** A push that mode `cautious` asks about. Every call is an action of its own with the same content. */
export function push(over: Parameters<typeof bash>[1] = {}): Action {
  made += 1;
  const facts = { effect: 'write', reach: 'remote', type: 'vcs:push', operation: 'push' } as const;
  return bash([fact('git push origin x', facts)], {
    id: `act_${made}`,
    effect: 'write',
    reach: 'remote',
    type: 'vcs:push',
    preview: 'git push origin x',
    ...over,
  });
}

/** A push with force: asked each time. */
export function forcePush(over: Parameters<typeof bash>[1] = {}): Action {
  made += 1;
  const repo = {
    repository: 'github.com/a/b',
    area: 'contents',
    refs: [{ ref: 'refs/heads/x', change: 'force' }],
  } as const;
  const command = fact('git push -f origin x', { effect: 'write', reach: 'remote', type: 'vcs:push', repo });
  return bash([command], { id: `act_${made}`, effect: 'write', reach: 'remote', type: 'vcs:push', ...over });
}
