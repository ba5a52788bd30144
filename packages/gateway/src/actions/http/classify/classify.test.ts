import { describe, expect, test } from 'vitest';
import { AWS_CASES } from '../cases/aws.ts';
import { CASE_OPTIONS, type HttpCase, headOf } from '../cases/case.ts';
import { CLOUD_CASES } from '../cases/clouds.ts';
import { COLLABORATION_CASES } from '../cases/collaboration.ts';
import { GENERAL_CASES } from '../cases/general.ts';
import { GIT_CASES } from '../cases/git.ts';
import { GITHUB_CASES } from '../cases/github.ts';
import { GRAPHQL_CASES } from '../cases/graphql.ts';
import { ANTHROPIC_CASES } from '../cases/models-anthropic.ts';
import { OPENAI_CASES } from '../cases/models-openai.ts';
import { OTHER_MODEL_CASES } from '../cases/models-others.ts';
import { SERVICE_CASES } from '../cases/services.ts';
import { createHttpClassifier } from '../index.ts';

const classify = createHttpClassifier(CASE_OPTIONS);

const TABLES: Readonly<Record<string, readonly HttpCase[]>> = {
  'any host': GENERAL_CASES,
  GitHub: GITHUB_CASES,
  'GitHub and GitLab, where people talk': COLLABORATION_CASES,
  git: GIT_CASES,
  GraphQL: GRAPHQL_CASES,
  AWS: AWS_CASES,
  'Google Cloud, Kubernetes and image registries': CLOUD_CASES,
  'Slack, Datadog and packages': SERVICE_CASES,
  'models of Anthropic': ANTHROPIC_CASES,
  'models of OpenAI and those that speak like it': OPENAI_CASES,
  'other models': OTHER_MODEL_CASES,
};

function describeRepo(row: HttpCase): string | undefined {
  const { repo } = classify(headOf(row));
  if (repo === undefined) return undefined;
  const refs = repo.refs.map(({ ref, change }) => `${ref}:${change}`);
  const options = repo.options?.map((option) => `-o ${option}`) ?? [];
  const pipeline = repo.pipeline === true ? ['pipeline'] : [];
  const head = repo.head === undefined ? [] : [`<${repo.head}`];
  return [repo.repository ?? '-', repo.area, ...head, ...refs, ...options, ...pipeline].join(' ');
}

for (const [name, rows] of Object.entries(TABLES)) {
  describe(`requests to ${name}`, () => {
    test.each(rows)('$why: $request is $want', (row) => {
      const found = classify(headOf(row), row.credential);
      expect(`${found.effect} ${found.type} ${found.risk}`).toBe(row.want);
      expect(found.quiet).toBe(row.quiet);
      if (row.operation !== undefined) expect(found.operation).toBe(row.operation);
      if (row.object !== undefined) expect(found.object).toBe(row.object);
      expect(describeRepo(row)).toBe(row.repo);
    });
  });
}

test('most of the rows are hostile', () => {
  const rows = Object.values(TABLES).flat();
  const hostile = rows.filter((row) => row.kind === 'hostile').length;
  expect(rows.length).toBeGreaterThanOrEqual(200);
  expect(hostile).toBeGreaterThan(rows.length - hostile);
});
