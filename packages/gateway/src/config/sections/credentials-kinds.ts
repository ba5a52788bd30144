import { z } from 'zod';
import { cloudCredentialSchemas } from './credentials-cloud.ts';
import { commandCredentialSchemas } from './credentials-commands.ts';
import {
  bodyShape,
  commonShape,
  credentialNameSchema,
  demandedHostsShape,
  knownHostsShape,
  sourceShape,
} from './credentials-common.ts';
import { safeUrlSchema } from './values.ts';

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/, 'not a header name');
const format = z
  .string()
  .max(500)
  .regex(/^[\x20-\x7e]*\{value\}[\x20-\x7e]*$/, 'the format is printable ASCII around `{value}`');
const generic = { ...commonShape, ...sourceShape, ...demandedHostsShape };
const provider = { ...commonShape, ...sourceShape, ...knownHostsShape };
const genericText = { ...generic, ...bodyShape };
const providerText = { ...provider, ...bodyShape };

const BearerSchema = z
  .strictObject({ kind: z.literal('bearer').describe('`Authorization: Bearer …`'), ...genericText })
  .describe('a token that is sent as `Authorization: Bearer`');

const BasicSchema = z
  .strictObject({
    kind: z.literal('basic').describe('`Authorization: Basic …`'),
    user: z
      .string()
      .max(200)
      .regex(/^[^:\p{Cc}]*$/u, 'a user name has no colon')
      .optional()
      .describe('user name; without it the source holds `user:password`'),
    ...genericText,
  })
  .describe('user and password');

const HeaderSchema = z
  .strictObject({
    kind: z.literal('header').describe('a header of its own'),
    name: headerName.describe('header that carries the value, for example `X-Api-Key`'),
    format: format.default('{value}').describe('what the header says, around `{value}`'),
    ...genericText,
  })
  .describe('a value that is sent in a header');

const QuerySchema = z
  .strictObject({
    kind: z.literal('query').describe('a parameter of the query'),
    param: z.string().min(1).max(100).describe('name of the parameter, for example `api_key`'),
    ...genericText,
  })
  .describe('a value that is sent in the query');

const GithubPatSchema = z
  .strictObject({
    kind: z.literal('github_pat').describe('a GitHub token: API, and git over HTTPS'),
    ...providerText,
  })
  .describe('a personal access token of GitHub');

const DatadogSchema = z
  .strictObject({
    kind: z.literal('datadog').describe('two headers'),
    ...provider,
  })
  .describe('both keys of Datadog; the source holds `{"api_key":"…","app_key":"…"}`');

const LinearSchema = z
  .strictObject({ kind: z.literal('linear').describe('`Authorization` without a scheme'), ...providerText })
  .describe('an API key of Linear');

const SlackSchema = z
  .strictObject({ kind: z.literal('slack').describe('a bot or user token of Slack'), ...providerText })
  .describe('a token of Slack');

const HEAD_PARTS = ['method', 'host', 'path', 'query', 'target', 'timestamp', 'timestamp_ms', 'nonce'];
const BODY_PARTS = ['body', 'body_sha256'];

/** Text with parts of a request in braces; a name that is none is a typo. */
function templateSchema(parts: readonly string[]) {
  return z
    .string()
    .max(2_000)
    .superRefine((text, context) => {
      for (const [whole, part = ''] of text.matchAll(/\{([^}]*)\}/g)) {
        if (parts.includes(part) || /^header:[A-Za-z0-9-]{1,64}$/.test(part)) continue;
        const message = `\`${whole}\` is no part of a request`;
        const hint = `known: ${[...parts, 'header:NAME'].map((one) => `\`{${one}}\``).join(', ')}`;
        context.addIssue({ code: 'custom', message, params: { hint } });
      }
    });
}

const HmacSchema = z
  .strictObject({
    kind: z.literal('hmac').describe('a signature over parts of the request'),
    algorithm: z.enum(['sha256', 'sha384', 'sha512']).default('sha256').describe('hash of the signature'),
    header: headerName.describe('header that carries the signature'),
    format: templateSchema([...HEAD_PARTS, 'signature'])
      .refine((text) => /^[\x20-\x7e]*\{signature\}[\x20-\x7e]*$/.test(text), {
        error: 'the format is printable ASCII around `{signature}`',
      })
      .default('{signature}')
      .describe('what that header says: `{signature}`, and parts as in `template` but the body'),
    template: templateSchema([...HEAD_PARTS, ...BODY_PARTS])
      .min(1)
      .describe(
        'what is signed, for example `{timestamp}.{method}.{target}.{body}`; also `{host}`, `{path}`, `{query}`, `{timestamp_ms}`, `{nonce}`, `{body_sha256}`, `{header:NAME}`',
      ),
    encoding: z.enum(['hex', 'base64', 'base64url']).default('hex').describe('how the signature is written'),
    headers: z
      .record(
        headerName,
        templateSchema(HEAD_PARTS).refine((text) => /^[\x20-\x7e]*$/.test(text), {
          error: 'printable ASCII only',
        }),
      )
      .default({})
      .describe('further headers, for example `X-Timestamp: "{timestamp}"`'),
    ...generic,
  })
  .describe('a key that signs each request');

const ClientLoginSchema = z
  .strictObject({
    kind: z.literal('client_login').describe("a user's own subscription login"),
    client: z.enum(['claude-code', 'codex']).describe('program whose login on this machine is used'),
    file: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('its login file; where the program keeps it unless given'),
    token_url: safeUrlSchema
      .optional()
      .describe("where the login is refreshed; the provider's own unless given"),
    ...commonShape,
    ...bodyShape,
    ...knownHostsShape,
  })
  .describe('the login that a person made with a client, read and refreshed on this machine');

export const plainCredentialSchemas = [
  BearerSchema,
  BasicSchema,
  HeaderSchema,
  QuerySchema,
  GithubPatSchema,
  DatadogSchema,
  LinearSchema,
  SlackSchema,
  HmacSchema,
  ClientLoginSchema,
] as const;

const CredentialSchema = z.discriminatedUnion('kind', [
  ...plainCredentialSchemas,
  ...cloudCredentialSchemas,
  ...commandCredentialSchemas,
]);

export const CredentialsSchema = z
  .record(credentialNameSchema, CredentialSchema)
  .describe('what may be lent to agents, by name; values are read from sources, never written here');

export type CredentialConfig = z.infer<typeof CredentialSchema>;
export type CredentialKindName = CredentialConfig['kind'];
/** What the config says about a credential of one kind. */
export type CredentialOptions<Kind extends CredentialKindName> = Extract<CredentialConfig, { kind: Kind }>;
