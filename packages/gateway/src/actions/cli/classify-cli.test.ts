import { describe, expect, test } from 'vitest';
import { AWS_CASES } from './cases/aws-cases.ts';
import { BUILD_CASES, CHECK_CASES } from './cases/build-cases.ts';
import type { CliCase, CliCases } from './cases/cli-case.ts';
import { GCLOUD_CASES, TERRAFORM_CASES, TRACKER_CASES } from './cases/cloud-cases.ts';
import { CONTAINER_CASES } from './cases/container-cases.ts';
import { GH_CASES } from './cases/gh-cases.ts';
import { GIT_CASES } from './cases/git-cases.ts';
import { GIT_PUSH_CASES } from './cases/git-push-cases.ts';
import { HTTP_CASES } from './cases/http-cases.ts';
import { KUBECTL_CASES } from './cases/kubectl-cases.ts';
import {
  DATABASE_CASES,
  FORGE_CASES,
  INTERPRETER_CASES,
  MACHINE_CASES,
  SHELL_CASES,
} from './cases/machine-cases.ts';
import { NODE_CASES, PYTHON_PACKAGE_CASES } from './cases/package-cases.ts';
import { classifyCli } from './programs/classify-cli.ts';

const CONTEXT = { cwd: '/repo/app', home: '/home/ana', root: '/repo/app' };
const ALL: Readonly<Record<string, CliCases>> = {
  aws: AWS_CASES,
  gcloud: GCLOUD_CASES,
  gh: GH_CASES,
  kubectl: KUBECTL_CASES,
  terraform: TERRAFORM_CASES,
  'curl and wget': HTTP_CASES,
  'datadog and linear': TRACKER_CASES,
  git: GIT_CASES,
  'git push': GIT_PUSH_CASES,
  'npm, pnpm, yarn': NODE_CASES,
  'pip, uv, poetry': PYTHON_PACKAGE_CASES,
  'cargo, go, mvn, gradle, make, cmake': BUILD_CASES,
  'pytest, tsc, eslint, prettier': CHECK_CASES,
  'docker, compose, helm': CONTAINER_CASES,
  'brew, apt, systemctl, tmux': MACHINE_CASES,
  'ssh, scp, rsync': SHELL_CASES,
  'psql, mysql, sqlite3, redis-cli': DATABASE_CASES,
  'node, python': INTERPRETER_CASES,
  'glab, az': FORGE_CASES,
};

function words(argv: CliCase['argv']): readonly string[] {
  return typeof argv === 'string' ? argv.split(' ') : argv;
}

function label(row: CliCase): string {
  return `${words(row.argv).join(' ')}: ${row.why}`;
}

function check(row: CliCase): void {
  const intent = classifyCli(words(row.argv), CONTEXT);
  expect(intent).toMatchObject({ effect: row.effect, reach: row.reach });
  expect(intent?.unknown === undefined ? 'known' : 'unknown').toBe(
    row.unknown === true ? 'unknown' : 'known',
  );
  for (const key of ['type', 'risk', 'operation', 'object', 'request'] as const) {
    if (row[key] !== undefined) expect(intent?.[key], key).toEqual(row[key]);
  }
  if (row.hosts !== undefined) expect(intent?.hosts?.map(({ host }) => host)).toEqual(row.hosts);
  // SECURITY: [GA-13] what cannot be known may go anywhere, and says so.
  if (intent?.unknown !== undefined) expect(intent.unknownHosts).toBe(true);
  if (row.repository !== undefined) expect(intent?.repo?.repository).toBe(row.repository);
  if (row.refs !== undefined) {
    expect(intent?.repo?.refs).toEqual(row.refs);
    expect(intent?.repo?.options).toEqual(row.options);
  }
  if (row.writes !== undefined) expect(intent?.writes?.map(({ given }) => given)).toEqual(row.writes);
}

for (const [name, cases] of Object.entries(ALL)) {
  describe(`[GA-2] ${name}: what is hostile never looks harmless`, () => {
    test.each(cases.hostile.map((row) => [label(row), row] as const))('%s', (_label, row) => check(row));
  });
  describe(`${name}: everyday lines stay clean`, () => {
    test.each(cases.friendly.map((row) => [label(row), row] as const))('%s', (_label, row) => check(row));
  });
}

test.each([
  'aws s3 ls --endpoint-url https://evil.test',
  'kubectl get pods --server https://evil.test',
  'git frobnicate https://evil.test/x',
])('[GA-13] a command that cannot be known still names its hosts: %s', (line) => {
  expect(classifyCli(line.split(' '), CONTEXT)?.hosts).toContainEqual({ host: 'evil.test', port: 443 });
});
