import { z } from 'zod';
import { credentialNameSchema } from './credentials-common.ts';
import { headerNameSchema, hostPatternSchema } from './values.ts';

const InjectSchema = z.strictObject({
  header: headerNameSchema.describe('header that carries the value'),
  format: z
    .string()
    .max(200)
    .regex(/^[\x20-\x7e]*\{value\}[\x20-\x7e]*$/, 'a format is printable ASCII around `{value}`')
    .default('{value}')
    .describe('what the header says; `{value}` stands for the value'),
});

const RouteSchema = z.strictObject({
  host: hostPatternSchema.describe('a host, or `*.example.com` for all below it'),
  port: z.int().min(1).max(65_535).optional().describe('port; absent means any'),
  path: z.string().startsWith('/').max(2_000).optional().describe('path pattern; absent means any'),
  credential: credentialNameSchema.describe(
    'name of the credential to lend; a request of a session that may not use it is refused',
  ),
  inject: InjectSchema.optional().describe(
    "how the value is put in, for credentials of one value; the kind's own way unless given",
  ),
});

export const routesSchema = z
  .array(RouteSchema)
  .max(1_000)
  .describe("which credential goes where; a tenant's own routes are read first, the first match counts");
