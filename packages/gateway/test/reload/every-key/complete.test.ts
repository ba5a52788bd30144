import { expect, test } from 'vitest';
import { needsRestart } from '../../../src/config/reload.ts';
import { GROUPS } from './groups.ts';
import { schemaPaths } from './schema-paths.ts';

test('[CF-1] every key of the schema is looked at on a running gateway, or waits for a restart', () => {
  const looked = GROUPS.flatMap(({ cases }) => Object.keys(cases));
  const live = schemaPaths().filter((path) => !needsRestart(path));
  expect(
    live.filter((path) => !looked.includes(path)),
    'nobody looks at',
  ).toEqual([]);
  expect(
    looked.filter((path) => !live.includes(path)),
    'not in the schema',
  ).toEqual([]);
});
