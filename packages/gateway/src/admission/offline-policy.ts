import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { SallyportError } from '@sallyport/protocol';
import { parse } from 'yaml';
import { z } from 'zod';
import { loadActionBuilders } from '../actions/index.ts';
import { environmentSecrets, Redactor } from '../audit/index.ts';
import { type HomePaths, loadConfig, type Variables } from '../config/index.ts';
import type { PolicySet } from '../gate/index.ts';
import {
  PolicyQuestions,
  type PolicyTestResult,
  PolicyTestSchema,
  Rehearsal,
  runPolicyTest,
} from '../rehearsal/index.ts';
import { loadPolicyParts, type PolicyParts } from './policy-parts.ts';

export interface OfflineOptions {
  readonly paths: HomePaths;
  readonly env: Variables;
}

/** Answers over the config file alone, for when no gateway runs: it knows no grants and no trail. */
export async function openPolicyQuestions({ paths, env }: OfflineOptions): Promise<PolicyQuestions> {
  const parts = loadPolicyParts(paths, env);
  const policies = compileFile(paths.config, env, parts);
  const redactor = new Redactor();
  for (const secret of environmentSecrets(env)) redactor.learn(secret);
  return new PolicyQuestions({
    redactor,
    policies: () => policies,
    loadPolicies: (file) => compileFile(file, env, parts),
    loadBuilders: loadActionBuilders,
    telemetry: parts.telemetry,
    registries: parts.registries,
    trail: { export: noEvents },
    grants: { wouldAnswer: async () => [] },
    cwd: process.cwd(),
    home: parts.home,
  });
}

export interface PolicyTestReport {
  readonly policy: string;
  readonly results: readonly PolicyTestResult[];
}

/** Runs a table of `sallyport policy test`. Throws `BadRequest` for a table, `ConfigInvalid` for a policy that cannot be read. */
export async function testPolicyFile(
  options: OfflineOptions & { readonly file: string; readonly policy?: string },
): Promise<PolicyTestReport> {
  const { paths, env, file } = options;
  const test = PolicyTestSchema.safeParse(readTable(file));
  if (!test.success) {
    throw new SallyportError('BadRequest', {
      message: `\`${file}\` is not a table of policy tests: ${z.prettifyError(test.error).replaceAll('\n', ' ')}`,
      hint: 'docs/policy.md shows one',
    });
  }
  const named = test.data.policy === undefined ? paths.config : resolve(dirname(file), test.data.policy);
  const policy = options.policy ?? named;
  const parts = loadPolicyParts(paths, env);
  const rehearsal = new Rehearsal({
    policies: compileFile(policy, env, parts),
    createBuilder: await loadActionBuilders(),
    telemetry: parts.telemetry,
    registries: parts.registries(),
    cwd: '/workspace',
    home: parts.home,
  });
  return { policy, results: runPolicyTest(test.data, rehearsal) };
}

function compileFile(file: string, env: Variables, parts: PolicyParts): PolicySet {
  return parts.compile(loadConfig({ file, env, checks: [parts.check] }));
}

function readTable(file: string): unknown {
  try {
    return parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    throw new SallyportError('BadRequest', { message: `\`${file}\` cannot be read`, cause });
  }
}

async function* noEvents(): AsyncGenerator<string> {
  // without a running gateway there is no trail to replay
}
