import { z } from 'zod';
import { providerName } from './policy-providers.ts';
import { ruleText } from './policy-rules.ts';

const REPOSITORY = /^(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*\/)?[\w.-]+\/(?:[\w.-]+|\*)$/i;
const PROJECT = /^(?:[\w.-]+\/)+(?:[\w.-]+|\*)$/;
const HOSTED = /^[a-z0-9-]+(?:\.[a-z0-9-]+)*(?:\/[\w.-]+)+\/(?:[\w.-]+|\*)$/i;

/** Hosts with repositories that an exception may be about, and the provider's own host. */
export const GIT_PROVIDERS = {
  github: 'github.com',
  gitlab: 'gitlab.com',
  bitbucket: 'bitbucket.org',
  git: undefined,
} as const;

export type GitProvider = keyof typeof GIT_PROVIDERS;

const repositoriesOf = (form: RegExp) =>
  z.array(z.string().regex(form, 'write `owner/name`, `owner/*` or `host/owner/name`')).min(1).optional();

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
          .enum(['contents', 'collaboration', 'actions'])
          .describe(
            'content writes on owned branches; opening pull requests from them, plain comments and labels that only describe; or workflow runs on them',
          ),
        repositories: repositoriesOf(REPOSITORY).describe(
          'repositories that it holds for: `acme/app`, `acme/*`, `ghe.corp.example/acme/app`; absent: the git remotes of the workspace, but none for actions',
        ),
      }),
      z.strictObject({
        gitlab: z
          .enum(['contents', 'collaboration'])
          .describe('the same in projects of GitLab: `merge requests` are its pull requests'),
        repositories: repositoriesOf(PROJECT).describe(
          'projects that it holds for: `acme/app`, `acme/team/app`, `acme/*`, `gitlab.corp.example/acme/app`; absent: the git remotes of the workspace',
        ),
      }),
      z.strictObject({
        bitbucket: z.enum(['contents']).describe('pushes to owned branches of repositories on Bitbucket'),
        repositories: repositoriesOf(REPOSITORY).describe(
          'repositories that it holds for: `acme/app`, `acme/*`; absent: the git remotes of the workspace',
        ),
      }),
      z.strictObject({
        git: z
          .enum(['contents'])
          .describe(
            'pushes to owned branches on hosts that `providers` calls `git`: Gitea, Forgejo, any other',
          ),
        repositories: repositoriesOf(HOSTED).describe(
          'repositories that it holds for, with their host: `git.corp.example/acme/app`; absent: the git remotes of the workspace',
        ),
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
