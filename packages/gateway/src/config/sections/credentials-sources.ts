import { z } from 'zod';
import { splitTemplate } from '../../shared/command-template.ts';
import { cloudSourceShape } from './credentials-cloud.ts';
import { safeUrlSchema, secretReferenceSchema } from './values.ts';

/** Schemes that every tenant has; those of stores may be given other settings under `sources`. */
export const BUILT_IN_SCHEMES = ['env', 'file', 'secret', 'op', 'vault', 'aws-sm'] as const;
export type BuiltInScheme = (typeof BUILT_IN_SCHEMES)[number];
/** Schemes that always mean the same. */
const RESERVED: ReadonlySet<string> = new Set(['env', 'file', 'secret']);

const sourceNameSchema = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,31}$/, 'a source is named in lower case: letters, digits, `-`, at most 32 long')
  .refine((name) => !RESERVED.has(name), { error: '`env`, `file` and `secret` always mean the same' });

function templateSchema(needsKey: boolean) {
  return z
    .string()
    .min(1)
    .max(1_024)
    .superRefine((text, context) => {
      const split = splitTemplate(text);
      if (split.kind === 'wrong') context.addIssue({ code: 'custom', message: split.why });
      else if (needsKey && !split.argv.some((word) => word.includes('{key}'))) {
        context.addIssue({ code: 'custom', message: 'the command has no `{key}`' });
      }
    });
}

const mount = z
  .string()
  .regex(/^[A-Za-z0-9_-]+(?:\/[A-Za-z0-9_-]+)*$/, 'a mount is named like `kv` or `team/kv`')
  .max(200);

const VaultAuthSchema = z
  .strictObject({
    token: secretReferenceSchema.optional().describe('a token, by its source, for example `env:VAULT_TOKEN`'),
    approle: z
      .strictObject({
        role_id: z.string().min(1).max(200).describe('id of the role'),
        secret_id: secretReferenceSchema.describe('source of its secret id'),
        mount: mount.default('approle').describe('where the method is mounted'),
      })
      .optional()
      .describe('log in as an AppRole'),
    kubernetes: z
      .strictObject({
        role: z.string().min(1).max(200).describe('role to log in as'),
        mount: mount.default('kubernetes').describe('where the method is mounted'),
        token_file: z
          .string()
          .min(1)
          .max(1_024)
          .default('/var/run/secrets/kubernetes.io/serviceaccount/token')
          .describe("token of the gateway's service account"),
      })
      .optional()
      .describe("log in with the pod's service account"),
  })
  .refine((auth) => Object.values(auth).filter((way) => way !== undefined).length === 1, {
    error: 'name one way to log in: `token`, `approle` or `kubernetes`',
  })
  .describe('how the gateway logs in');

const VaultSchema = z
  .strictObject({
    address: safeUrlSchema.describe(
      'where Vault or OpenBao is, for example `https://vault.example.com:8200`',
    ),
    auth: VaultAuthSchema,
    mount: mount
      .optional()
      .describe('mount of the KV engine (version 2); the first word of the key unless given'),
    namespace: z.string().min(1).max(200).optional().describe('namespace, where there are some'),
    ca: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('file of a private certificate authority (PEM), relative to the home'),
  })
  .describe('HashiCorp Vault or OpenBao, KV version 2');

/** Ways to read, as keys of an entry of `sources`: exactly one is named there. */
const wayShape = {
  read: templateSchema(true)
    .optional()
    .describe('command that prints a value; `{key}` is the part of the reference after the colon; no shell'),
  vault: VaultSchema.optional(),
  ...cloudSourceShape,
};
const WAYS = Object.keys(wayShape);
const WAY_NAMES = WAYS.map((way) => (way === 'read' ? '`read` (a command)' : `\`${way}\``));

const SourceSchema = z
  .strictObject({
    ...wayShape,
    write: templateSchema(true)
      .optional()
      .describe('command that stores a changed value, read from its standard input (rotated refresh tokens)'),
    env: z
      .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, 'not the name of a variable'))
      .max(50)
      .default([])
      .describe('variables that the command sees besides `PATH`, `HOME`, `USER`, `LANG` and `XDG_*`'),
    cache_ttl: z
      .int()
      .min(0)
      .max(86_400)
      .default(300)
      .describe('seconds that a value is kept in memory, never on disk'),
  })
  .superRefine((source, context) => {
    const named = Object.entries(source).filter(([key, value]) => value !== undefined && WAYS.includes(key));
    if (named.length !== 1) {
      const message = `name one way to read: ${WAY_NAMES.slice(0, -1).join(', ')} or ${WAY_NAMES.at(-1)}`;
      context.addIssue({ code: 'custom', message });
    }
    if (source.read === undefined && (source.write !== undefined || source.env.length > 0)) {
      context.addIssue({ code: 'custom', message: '`write` and `env` belong to a `read` command' });
    }
  });

export const SourcesSchema = z
  .record(sourceNameSchema, SourceSchema)
  .describe('more places that values are read from; their name is the scheme of a reference: `name:key`');

export type SourceConfig = z.infer<typeof SourceSchema>;
export type SourceWay = keyof typeof wayShape;
export type VaultConfig = z.infer<typeof VaultSchema>;
