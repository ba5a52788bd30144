import { z } from 'zod';
import { parseDomainPattern } from '../../shared/host.ts';

const NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}(?::[A-Za-z0-9][A-Za-z0-9._-]{0,63})?$/;
/** a scheme that the gateway knows, or the name of one of the tenant's `sources` */
const REFERENCE = /^[a-z][a-z0-9-]{0,31}:[^\0\r\n]{1,1024}$/;

/** Name of a credential: `github` or `github:personal`. Safe in headers, rules, logs and URLs. */
export const credentialNameSchema = z
  .string()
  .regex(NAME, 'a credential is named like `github` or `github:personal`: letters, digits, `.`, `_`, `-`');

const hostPatternSchema = z
  .string()
  .max(260)
  .refine((text) => parseDomainPattern(text) !== undefined, {
    error: 'not a host',
    params: { hint: 'write `api.example.com`, or `*.example.com` for all hosts below it; no port, no path' },
  });

const hostsSchema = z.array(hostPatternSchema).min(1).max(100);

/**
 * Where a credential's value is read from; never the value itself.
 *
 * SECURITY: the message repeats nothing of the text, because what fails here is often a pasted secret.
 */
export const sourceReferenceSchema = z.string().refine((text) => REFERENCE.test(text), {
  error: 'a secret is not written in the config; name where it is read from',
  params: {
    confidential: true,
    hint: 'use `env:NAME`, `file:path`, `op://vault/item/field`, `vault:mount/path#field`, or one of `sources`',
  },
});

const FIELD = /^[A-Za-z0-9_$-]{1,64}(?:\.[A-Za-z0-9_$-]{1,64}){0,7}$/;
const READABLE = /^application\/(?:x-www-form-urlencoded|(?:[a-z0-9.-]{1,60}\+)?json)$/;

const BodyPlaceSchema = z.strictObject({
  content_type: z
    .string()
    .regex(
      READABLE,
      'a form or JSON: `application/x-www-form-urlencoded`, `application/json` or another `+json`',
    )
    .describe('media type of the bodies, without parameters'),
  fields: z
    .array(z.string().regex(FIELD, 'a field is named like `client_secret`, in JSON also `auth.token`'))
    .min(1)
    .max(50)
    .describe('fields whose whole value may be the placeholder; dots lead into objects of JSON'),
});

/** What a credential of every kind has. */
export const commonShape = {
  risk: z
    .enum(['low', 'medium', 'high', 'critical'])
    .optional()
    .describe('how much harm its use can do; `critical` asks a person each time'),
  plain_http: z
    .boolean()
    .default(false)
    .describe('it may leave this machine over `http://` too, where everyone on the way can read it'),
};

/** For kinds that are one text: only that can stand in the place of a placeholder. */
export const bodyShape = {
  in: z
    .array(z.enum(['body']))
    .max(1)
    .default([])
    .describe(
      'where its placeholder is replaced beside the header or parameter of its kind; `body`: in what `body` names, and never in a request that runs a model',
    ),
  body: z
    .array(BodyPlaceSchema)
    .max(20)
    .default([])
    .describe('the bodies and fields that `in: [body]` means'),
};

/** For kinds whose value is read from a source. */
export const sourceShape = {
  source: sourceReferenceSchema.describe('where the value is read from, for example `op://dev/github/token`'),
};

/** For kinds of no particular provider: only the config knows where the value belongs. */
export const demandedHostsShape = {
  hosts: hostsSchema.describe('the only hosts that it is ever sent to'),
};

/** For kinds of a provider: its own hosts are known, and another installation of it is named here. */
export const knownHostsShape = {
  hosts: hostsSchema
    .optional()
    .describe("the only hosts that it is ever sent to; the provider's own unless given"),
};
