import type { Actor } from '@sallyport/protocol';
import { beforeAll, describe, expect, test } from 'vitest';
import { operationsOf } from '../../targets/index.ts';
import { type ActionBuilder, loadActionBuilders } from './action-builder.ts';
import { type Wanted, wantedAction } from './wanted-action.ts';

const actor: Actor = {
  tenant: 'default',
  agent: 'dev',
  session: 'sess_1',
  chain: ['dev'],
  confinement: 'unconfined',
};
let builder: ActionBuilder;
beforeAll(async () => {
  builder = (await loadActionBuilders())();
});
const want = (operation: string, object: string) =>
  wantedAction(
    { operation, object },
    { builder, actor, credentialFor: () => undefined, onlyReads: () => false },
  );

const KNOWN: readonly Wanted[] = [
  { operation: 'read', object: 'api.example.com' },
  { operation: 'read', object: 'api.example.com:8443' },
  { operation: 'POST /v1/items/{}', object: 'api.example.com/v1/items' },
  { operation: 'DELETE /v1/items/{}', object: 'api.example.com:443/v1/items' },
  { operation: 'github:issues/create-comment', object: 'github.com/acme/app' },
  { operation: 'github:pulls/create', object: 'github.com/acme/app' },
  { operation: 'github:repos/list-for-org', object: 'github.com/acme' },
  { operation: 'gitlab:POST /projects/{id}/issues', object: 'gitlab.com/acme/app' },
  { operation: 'slack:chat.postMessage', object: 'slack.com C012345' },
  { operation: 'linear:mutation commentCreate', object: 'linear.app' },
  { operation: 'mcp:tracker/close', object: 'tracker' },
  { operation: 'fs.write', object: '/work/notes.md' },
  { operation: 'Write', object: '/etc/hosts' },
  { operation: 'npm publish --tag=next', object: 'npm publish --tag next in /work' },
  { operation: 'npm install', object: 'lodash in /work' },
  { operation: 'git push', object: 'github.com/acme/app feature' },
];

describe('what can be asked for beforehand', () => {
  test.each(KNOWN)('$operation on $object', ({ operation, object }) => {
    const action = want(operation, object);
    expect(action && operationsOf(action)).toMatchObject([{ operation }]);
  });
});

describe('[GA-17] what is no name of one operation on one object is none', () => {
  test.each([
    ['an operation that nobody knows', 'github:issues/explode', 'github.com/acme/app'],
    ['a provider that nobody knows', 'nowhere:things/make', 'nowhere.example'],
    ['an object of another kind', 'github:issues/create-comment', 'github.com'],
    ['a host that is none of the provider', 'github:issues/create-comment', 'evil.example/acme/app'],
    ['a path that goes elsewhere', 'POST /v1/../admin', 'api.example.com/v1'],
    ['an object that leads elsewhere', 'POST /v1/items', 'api.example.com/v1@evil.example'],
    ['two operations', 'ls', 'ls; rm -rf / in /work'],
    ['a line that nobody can read', 'ls', 'ls $(id) in /work'],
    ['a tool without its server', 'mcp:tracker/close', 'elsewhere'],
    ['nothing', ' ', ''],
  ])('%s', (_why, operation, object) => {
    expect(want(operation, object)).toBeUndefined();
  });
});
