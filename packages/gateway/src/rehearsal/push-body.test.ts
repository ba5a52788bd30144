import { beforeAll, expect, test } from 'vitest';
import { type ActionBuilder, loadActionBuilders } from '../actions/index.ts';
import { buildQuestion } from './question.ts';

let builder: ActionBuilder;
beforeAll(async () => {
  builder = (await loadActionBuilders())();
});

const PUSH = 'POST https://github.com/acme/app.git/git-receive-pack';
const repoOf = (text: string) => {
  const { target } = buildQuestion(
    {
      form: 'http',
      text,
      tenant: 'default',
      agent: 'dev',
      user: 'ana',
      confinement: 'jailed',
      cwd: '/w',
      home: '/h',
    },
    builder,
  );
  const refs = target.kind === 'http' ? (target.repo?.refs ?? []) : [];
  return refs.map(({ ref, change }) => `${ref} ${change}`);
};

test.each([
  {
    specs: 'refs/heads/ana/x',
    refs: ['refs/heads/ana/x update'],
    why: 'the pack shows that it is on top of the branch',
  },
  {
    specs: '+refs/heads/ana/x',
    refs: ['refs/heads/ana/x unknown'],
    why: 'another history, which a fast-forward cannot be',
  },
  { specs: ':refs/heads/ana/x', refs: ['refs/heads/ana/x delete'], why: 'git deletes with an empty source' },
  {
    specs: 'refs/heads/ana/x refs/heads/main',
    refs: ['refs/heads/ana/x update', 'refs/heads/main update'],
    why: 'one push, two refs',
  },
  { specs: '', refs: ['* unknown'], why: 'a push without a body says nothing about its refs' },
  { specs: 'hello', refs: ['* unknown'], why: 'what is no refspec is sent as it stands' },
  {
    specs: 'refs/heads/ana/x and main',
    refs: ['* unknown'],
    why: 'one word that is no refspec spoils the list',
  },
])('a push of `$specs` is what git would send: $why', ({ specs, refs }) => {
  expect(repoOf(`${PUSH} ${specs}`)).toEqual(refs);
});

test('refspecs are read as a push only where git pushes', () => {
  expect(repoOf('POST https://api.github.com/repos/acme/app/issues refs/heads/ana/x')).toEqual([]);
});
