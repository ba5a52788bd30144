import { z } from 'zod';
import {
  bodyShape,
  commonShape,
  demandedHostsShape,
  knownHostsShape,
  sourceShape,
} from './credentials-common.ts';
import { safeUrlSchema, secretReferenceSchema } from './values.ts';

const provider = { ...commonShape, ...sourceShape, ...knownHostsShape };
const providerText = { ...provider, ...bodyShape };
const regionSchema = z.string().regex(/^[a-z0-9-]{1,64}$/, 'not a region like `eu-west-1`');
const regionShape = {
  region: regionSchema.optional().describe('region of endpoints whose name does not say one'),
};
const scopesShape = {
  scopes: z
    .array(z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]{1,300}$/, 'not a scope'))
    .min(1)
    .max(50)
    .default(['https://www.googleapis.com/auth/cloud-platform'])
    .describe('OAuth scopes of the access token'),
};

const AwsStaticSchema = z
  .strictObject({ kind: z.literal('aws_static').describe('keys of AWS'), ...regionShape, ...provider })
  .describe(
    'an access key of AWS; the source holds `{"AccessKeyId":"…","SecretAccessKey":"…"}` or `id:secret`',
  );

const AwsAssumeRoleSchema = z
  .strictObject({
    kind: z.literal('aws_assume_role').describe('a role of AWS'),
    role_arn: z
      .string()
      .regex(/^arn:aws[a-z-]{0,20}:iam::\d{12}:role\/[\w+=,.@/-]{1,512}$/, 'not the ARN of a role')
      .describe('role that is assumed'),
    region: regionSchema.describe('region of the STS endpoint, and of endpoints whose name does not say one'),
    session_name: z
      .string()
      .regex(/^[\w+=,.@-]{2,64}$/, 'a session name is 2 to 64 letters, digits or `+=,.@-_`')
      .default('sallyport')
      .describe('name of the session, as AWS logs it'),
    external_id: z
      .string()
      .regex(/^[\w+=,.@:/-]{2,1224}$/, 'not an external id')
      .optional()
      .describe('external id that the trust policy of the role asks for'),
    duration: z.int().min(900).max(43_200).default(3_600).describe('life of the keys, in s'),
    endpoint: safeUrlSchema.optional().describe("where STS is; AWS's own unless given"),
    ...provider,
  })
  .describe('a role of AWS, assumed with the keys that the source holds');

const AwsSsoSchema = z
  .strictObject({
    kind: z.literal('aws_sso').describe('a role of AWS IAM Identity Center'),
    account_id: z
      .string()
      .regex(/^\d{12}$/, 'an account is 12 digits')
      .describe('account of AWS'),
    role_name: z
      .string()
      .regex(/^[\w+=,.@-]{1,64}$/, 'not the name of a role')
      .describe('role in the account'),
    sso_region: regionSchema
      .optional()
      .describe('region of IAM Identity Center; what the login says unless given'),
    endpoint: safeUrlSchema.optional().describe("where IAM Identity Center is; AWS's own unless given"),
    ...regionShape,
    ...provider,
  })
  .describe('a role that `aws sso login` opened; the source is its file in `~/.aws/sso/cache`');

const tokenUrlShape = {
  token_url: safeUrlSchema.optional().describe("where tokens are minted; Google's own unless given"),
};

const GcpStaticSchema = z
  .strictObject({
    kind: z.literal('gcp_static').describe('a service account of Google Cloud'),
    ...scopesShape,
    ...tokenUrlShape,
    ...providerText,
  })
  .describe('a service account; the source holds its JSON key');

const GcpImpersonateSchema = z
  .strictObject({
    kind: z.literal('gcp_impersonate').describe('a service account of Google Cloud, impersonated'),
    account: z
      .string()
      .regex(
        /^[a-z0-9@.:_-]{3,200}$/,
        'a service account is an address like `name@project.iam.gserviceaccount.com`',
      )
      .describe('service account whose rights the token has'),
    lifetime: z.int().min(60).max(43_200).default(3_600).describe('life of the token, in s'),
    endpoint: safeUrlSchema
      .optional()
      .describe("where the IAM credentials API is; Google's own unless given"),
    ...scopesShape,
    ...tokenUrlShape,
    ...providerText,
  })
  .describe('a service account, impersonated with the key of another that the source holds');

const GcpAdcSchema = z
  .strictObject({
    kind: z.literal('gcp_adc').describe("what Google's libraries find on this machine"),
    ...scopesShape,
    ...tokenUrlShape,
    ...commonShape,
    ...bodyShape,
    ...knownHostsShape,
  })
  .describe(
    'application default credentials: `GOOGLE_APPLICATION_CREDENTIALS`, the login of `gcloud`, or the machine itself',
  );

const GithubAppSchema = z
  .strictObject({
    kind: z.literal('github_app').describe('an installation of a GitHub App: API, and git over HTTPS'),
    app_id: z.union([z.int().positive(), z.string().regex(/^[A-Za-z0-9.]{1,64}$/)]).describe('id of the app'),
    installation_id: z.int().positive().describe('installation that tokens are for'),
    repositories: z
      .array(z.string().regex(/^[\w.-]{1,100}$/, 'the name of a repository, without its owner'))
      .min(1)
      .max(500)
      .optional()
      .describe('repositories that the token opens; all of the installation unless given'),
    permissions: z
      .record(z.string().regex(/^[a-z_]{1,64}$/), z.enum(['read', 'write', 'admin']))
      .optional()
      .describe('rights of the token, for example `contents: read`; all of the installation unless given'),
    api_url: safeUrlSchema.optional().describe("GitHub's API; `https://api.github.com` unless given"),
    ...providerText,
  })
  .describe('a GitHub App; the source holds its private key');

const Oauth2Schema = z
  .strictObject({
    kind: z.literal('oauth2').describe('an access token that a refresh token brings'),
    token_url: safeUrlSchema.describe('token endpoint of the provider'),
    client_id: z
      .string()
      .regex(/^[\x20-\x7e]{1,500}$/, 'printable ASCII only')
      .describe('id of the client that the refresh token was given to'),
    client_auth: z
      .enum(['basic', 'body'])
      .default('basic')
      .describe('how the client secret is sent: as HTTP Basic, or in the body'),
    scope: z
      .string()
      .regex(/^[\x20\x21\x23-\x5b\x5d-\x7e]{1,2000}$/, 'scopes, separated by blanks')
      .optional()
      .describe('scopes to ask for; those of the refresh token unless given'),
    rotates: z
      .boolean()
      .default(true)
      .describe(
        'whether the provider may replace the refresh token at each use; the source must then be one that can be written to',
      ),
    ...commonShape,
    ...bodyShape,
    ...sourceShape,
    ...demandedHostsShape,
  })
  .describe(
    'a refresh token; the source holds it, or `{"refresh_token":"…","client_secret":"…"}`; a new one is stored back',
  );

/**
 * Kinds that mint or sign with what a cloud hands out. Each is a strict object with the literal `kind`; the
 * union in `credentials.ts` spreads this list.
 */
export const cloudCredentialSchemas = [
  AwsStaticSchema,
  AwsAssumeRoleSchema,
  AwsSsoSchema,
  GcpStaticSchema,
  GcpImpersonateSchema,
  GcpAdcSchema,
  GithubAppSchema,
  Oauth2Schema,
] as const;

const AwsSmSchema = z
  .strictObject({
    region: regionSchema.describe('region of the secrets'),
    keys: secretReferenceSchema
      .optional()
      .describe(
        "keys of AWS, by their source, like those of `aws_static`; what AWS's libraries find on this machine unless given",
      ),
    endpoint: safeUrlSchema.optional().describe("where Secrets Manager is; AWS's own unless given"),
  })
  .describe('AWS Secrets Manager');

/** Ways to read that belong to a cloud, as keys of an entry of `sources`; exactly one way is named there. */
export const cloudSourceShape = { aws_sm: AwsSmSchema.optional() } as const;

export type AwsSmConfig = z.infer<typeof AwsSmSchema>;
