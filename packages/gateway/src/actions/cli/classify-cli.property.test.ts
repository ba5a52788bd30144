import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AWS_CASES } from './cases/aws-cases.ts';
import { BUILD_CASES, CHECK_CASES } from './cases/build-cases.ts';
import type { CliCase } from './cases/cli-case.ts';
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

const CONTEXT = { cwd: '/repo/app', home: '/home/ana' };
const PROGRAMS =
  `aws gcloud gsutil bq gh kubectl terraform tofu curl wget git datadog dog datadog-ci linear npm pnpm yarn pip uv poetry
  cargo go mvn gradle docker docker-compose helm glab az brew apt systemctl tmux redis-cli bun deno`.split(
    /\s+/,
  );
const TABLES = [
  AWS_CASES,
  GCLOUD_CASES,
  GH_CASES,
  GIT_CASES,
  GIT_PUSH_CASES,
  HTTP_CASES,
  KUBECTL_CASES,
  TERRAFORM_CASES,
  TRACKER_CASES,
  NODE_CASES,
  PYTHON_PACKAGE_CASES,
  BUILD_CASES,
  CHECK_CASES,
  CONTAINER_CASES,
  MACHINE_CASES,
  SHELL_CASES,
  DATABASE_CASES,
  INTERPRETER_CASES,
  FORGE_CASES,
];
const HOSTILE: readonly CliCase[] = TABLES.flatMap((table) => table.hostile);
const FRIENDLY: readonly CliCase[] = TABLES.flatMap((table) => table.friendly);
const ROWS = [...HOSTILE, ...FRIENDLY];
const WORDS = ROWS.map(({ argv }) => (typeof argv === 'string' ? argv.split(' ') : [...argv]));
const VOCABULARY = [...new Set(WORDS.flat())];

describe('classifyCli', () => {
  test('has at least 300 rows, no line twice, and more hostile than friendly ones', () => {
    expect(ROWS.length).toBeGreaterThanOrEqual(300);
    expect(HOSTILE.length).toBeGreaterThan(Math.max(180, FRIENDLY.length));
    expect(new Set(WORDS.map((words) => JSON.stringify(words))).size).toBe(ROWS.length);
  });

  test('says nothing about a program that it has no classifier for', () => {
    for (const program of ['ls', '', 'gitk', '/usr/bin/git', 'constructor', '__proto__']) {
      expect(classifyCli([program, 'list'], CONTEXT)).toBeUndefined();
    }
    expect(classifyCli([], CONTEXT)).toBeUndefined();
  });

  test('[GA-2] any words at all get an answer, and what is unknown is never a read', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom(...VOCABULARY),
      fc.string().map((text) => `--${text}`),
    );
    fc.assert(
      fc.property(fc.constantFrom(...PROGRAMS), fc.array(word, { maxLength: 8 }), (program, words) => {
        const intent = classifyCli([program, ...words], CONTEXT);
        expect(intent).toBeDefined();
        if (intent?.unknown !== undefined) {
          expect(intent).toMatchObject({ effect: 'write', reach: 'remote', risk: 'critical' });
        }
      }),
      { numRuns: rounds(3000) },
    );
  });

  test('[GA-2] a verb that no table has is a write of the highest risk, whatever follows', () => {
    const verb = fc.stringMatching(/^zz[a-z-]{1,12}$/);
    const programs = PROGRAMS.filter((program) => program !== 'curl' && program !== 'wget');
    fc.assert(
      fc.property(
        fc.constantFrom(...programs),
        verb,
        fc.array(fc.constantFrom(...VOCABULARY), { maxLength: 5 }),
        (program, unknown, words) => {
          const intent = classifyCli([program, unknown, ...words], CONTEXT);
          expect(intent).toMatchObject({ effect: 'write', risk: 'critical' });
          expect(intent?.unknown).toBeDefined();
        },
      ),
      { numRuns: rounds(2000) },
    );
  });

  test('[GA-2] an unknown option, wherever it is put, never turns a write into a read', () => {
    for (const argv of WORDS) {
      if (classifyCli(argv, CONTEXT)?.effect !== 'write') continue;
      for (let at = 1; at <= argv.length; at += 1) {
        for (const option of ['--zz-unknown', '--zz-unknown=list', '-Ω']) {
          const changed = [...argv.slice(0, at), option, ...argv.slice(at)];
          expect(classifyCli(changed, CONTEXT)?.effect, changed.join(' ')).toBe('write');
        }
      }
    }
  });

  test('[GA-2] a NUL byte makes any command unknown', () => {
    for (const argv of WORDS) expect(classifyCli([...argv, 'a\0b'], CONTEXT)?.unknown).toBeDefined();
  });

  test('answers long hostile words, on which a pattern that backtracks would hang', () => {
    for (const program of PROGRAMS) {
      for (const unit of ['-', '--a=', 'a@', '{', '[', ':', '/../', 'secret,', '%2e', '/', 'auth-']) {
        expect(classifyCli([program, 'get', `${unit.repeat(20_000)}x`], CONTEXT)).toBeDefined();
        expect(classifyCli([program, 'sts', `${unit.repeat(20_000)}x`], CONTEXT)).toBeDefined();
        expect(classifyCli([program, 'push', `x:${unit.repeat(20_000)}x`], CONTEXT)).toBeDefined();
        expect(classifyCli([program, ...Array.from({ length: 2000 }, () => unit)], CONTEXT)).toBeDefined();
      }
    }
  });
});
