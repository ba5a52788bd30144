import { ACTION_TYPES } from '@sallyport/protocol';
import { expect, test } from 'vitest';
import { RESTRICTED_COMMANDS } from '../../packages/gateway/src/gate/policy/access-levels.ts';
import { renderPolicyTables } from './policy-tables.ts';

const page = renderPolicyTables();

test('every action type has its risk in the page', () => {
  expect(ACTION_TYPES.filter((type) => !page.includes(`| \`${type}\` |`))).toEqual([]);
  expect(page).toContain('| `deploy` | `deploy:production` | critical |');
});

test('every restricted command is in the page', () => {
  expect([...RESTRICTED_COMMANDS].filter((name) => !page.includes(`\`${name}\``))).toEqual([]);
});

test('the page prints the levels and the presets as they are', () => {
  expect(page).toContain('| `git` | local_only | read_and_branch | full | full | local_only |');
  expect(page).toContain('| read | all | auto | auto | auto | human |');
});
