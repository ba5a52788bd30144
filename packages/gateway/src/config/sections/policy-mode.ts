import { z } from 'zod';
import { providerName } from './policy-providers.ts';
import { ruleText } from './policy-rules.ts';

const branchPattern = z.string().min(1).max(255);

export const modeSchema = z
  .enum(['strict', 'cautious'])
  .default('cautious')
  .describe('strict: every remote write asks; cautious: all but the exceptions');

export const branchesSchema = z
  .strictObject({
    owned: z
      .array(branchPattern)
      .default([])
      .describe('branches that agents may push to; `{user}` and `{agent}` are filled in'),
    protected: z
      .array(branchPattern)
      .default(['main', 'master', 'release/*'])
      .describe('branches that ask each time'),
  })
  .prefault({})
  .describe('branch name patterns');

export const exceptionsSchema = z
  .array(
    z.union([
      z.strictObject({
        github: z
          .enum(['contents', 'actions'])
          .describe('content writes, or workflow runs, on owned branches'),
      }),
      z.strictObject({
        provider: providerName.describe('provider whose classifier knew the request'),
        methods: z
          .array(z.string().regex(/^[A-Z]+$/))
          .optional()
          .describe('methods; absent means any'),
        paths: z.array(z.string().startsWith('/')).optional().describe('path patterns; absent means any'),
        when: z.string().min(1).optional().describe('operation, for example `mutation commentCreate`'),
      }),
      ruleText.describe('any selector of a rule'),
    ]),
  )
  .default([])
  .describe('remote writes that the mode lets pass; the rules still have to allow them');

export const grantsSchema = z
  .strictObject({
    allow_always: z.boolean().default(true).describe('whether people may give permanent grants'),
  })
  .prefault({})
  .describe('what standing answers people may give');
