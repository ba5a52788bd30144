import { type ErrorCode, STRENGTHS, type Strength } from '@sallyport/protocol';
import { z } from 'zod';
import type { Rehearsal, RehearsalQuestion } from './rehearse.ts';

const expectation = z.union([
  z.enum(['allow', 'ask', 'deny']),
  z.strictObject({ ask: z.enum(STRENGTHS) }),
  z.strictObject({ deny: z.string() }),
]);

const repositories = z
  .array(z.string().regex(/^[\w.-]+(?:\/[\w.-]+)+$/))
  .optional()
  .describe('what the git remotes of the workspace name: `github.com/acme/app`; those of `cwd` when absent');

const testCase = z
  .strictObject({
    do: z.string().optional().describe('a tool call: `Bash(git push origin main)`'),
    http: z.string().optional().describe('a request: `POST https://api.example.com/x`'),
    cli: z.string().optional().describe('a command line over SSH: `aws s3 ls`'),
    expect: expectation,
    why: z.string().min(1).describe('what this row protects'),
    agent: z.string().optional(),
    user: z.string().optional(),
    tenant: z.string().optional(),
    confinement: z.enum(['jailed', 'unconfined']).optional(),
    cwd: z.string().startsWith('/').optional(),
    credential: z.string().optional(),
    repositories,
  })
  .refine((row) => [row.do, row.http, row.cli].filter((text) => text !== undefined).length === 1, {
    message: 'a row has exactly one of `do`, `http` and `cli`',
  });

/** A file of `sallyport policy test`: a table of actions and the answers that the policy must give. */
export const PolicyTestSchema = z.strictObject({
  policy: z.string().optional().describe('config file to test, relative to this file'),
  defaults: z
    .strictObject({
      agent: z.string().optional(),
      user: z.string().optional(),
      tenant: z.string().optional(),
      confinement: z.enum(['jailed', 'unconfined']).optional(),
      cwd: z.string().startsWith('/').optional(),
      repositories,
    })
    .prefault({})
    .describe('what the rows have in common'),
  cases: z.array(testCase).min(1),
});
export type PolicyTest = z.infer<typeof PolicyTestSchema>;

/** One row, answered. */
export interface PolicyTestResult {
  readonly text: string;
  readonly why: string;
  readonly ok: boolean;
  readonly expected: string;
  readonly actual: string;
  readonly reason: string;
}

export function runPolicyTest(test: PolicyTest, rehearsal: Rehearsal): readonly PolicyTestResult[] {
  return test.cases.map((row) => {
    const form = row.do !== undefined ? 'tool' : row.http !== undefined ? 'http' : 'cli';
    const text = row.do ?? row.http ?? row.cli ?? '';
    const { explanation } = rehearsal.ask(present({ ...test.defaults, ...definedOnly(row), form, text }));
    const { expect } = row;
    const expected =
      typeof expect === 'string' ? expect : 'ask' in expect ? `ask ${expect.ask}` : `deny ${expect.deny}`;
    const actual = answer(explanation, typeof expect !== 'string');
    return { text, why: row.why, ok: actual === expected, expected, actual, reason: explanation.reason };
  });
}

function answer(
  {
    outcome,
    strength,
    violation,
  }: { readonly outcome: string; readonly strength?: Strength; readonly violation?: ErrorCode },
  inFull: boolean,
): string {
  return inFull ? [outcome, strength ?? violation].filter((part) => part !== undefined).join(' ') : outcome;
}

function definedOnly<Row extends object>(row: Row): Partial<Row> {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== undefined)) as Partial<Row>;
}

/** Only what a question takes: a row also has `expect` and `why`. */
function present(
  row: { form: RehearsalQuestion['form']; text: string } & Partial<PolicyTest['cases'][number]>,
): RehearsalQuestion {
  const { form, text, tenant, agent, user, confinement, cwd, credential, repositories } = row;
  return {
    form,
    text,
    ...(tenant === undefined ? {} : { tenant }),
    ...(agent === undefined ? {} : { agent }),
    ...(user === undefined ? {} : { user }),
    ...(confinement === undefined ? {} : { confinement }),
    ...(cwd === undefined ? {} : { cwd }),
    ...(credential === undefined ? {} : { credential }),
    ...(repositories === undefined ? {} : { repositories }),
  };
}
