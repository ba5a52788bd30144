import { expect, test } from 'vitest';
import { describeGrant } from './describe-grant.ts';
import { insteadOf, isEarlierCover } from './earlier-grants.ts';
import type { GrantCover } from './grant.ts';

const scope = (effect: string, target: object) =>
  ({ kind: 'scope', type: 'custom:http', effect, target, credential: 'key' }) as const;

test.each([
  [
    scope('write', { kind: 'host', host: 'api.example', port: 443 }),
    'every write of type `custom:http` by `dev` to api.example, with the credential `key`',
    /^answer `6` when it asks next: that covers this operation on this object$/,
  ],
  [
    scope('read', { kind: 'host', host: 'api.example', port: 8443 }),
    'every read of type `custom:http` by `dev` to api.example:8443, with the credential `key`',
    /reads-of-host --always.*host: api\.example, port: 8443/,
  ],
  [
    scope('write', { kind: 'repository', repository: 'github.com/a/b', refs: ['refs/heads/x'] }),
    'every write of type `custom:http` by `dev` to github.com/a/b on `x`, with the credential `key`',
    /^answer `6`/,
  ],
  [{ kind: 'pattern', selector: 'Bash', credential: null } as const, 'every `Bash` by `dev`', /^answer `6`/],
])('an earlier grant is still told in words, with the narrower one: %j', (cover, words, instead) => {
  if (!isEarlierCover(cover)) throw new Error('not told apart');
  // As it comes out of the database.
  const covers = cover as unknown as GrantCover;
  expect(describeGrant({ agent: 'dev', covers, scope: 'always' })).toBe(`${words}, until someone revokes it`);
  expect(insteadOf(cover as Parameters<typeof insteadOf>[0])).toMatch(instead);
});
