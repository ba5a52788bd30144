import { z } from 'zod';
import { parseOpenAddress } from '../../shared/open-address.ts';
import { ruleAction } from './policy-rules.ts';
import { headerNameSchema, hostPatternSchema } from './values.ts';

const method = z.string().regex(/^[A-Z]+$/, 'a method is written in capitals, for example `POST`');
const port = z.int().min(1).max(65_535);

const budget = z.int().min(0).max(1_073_741_824).optional();

const NetworkRuleSchema = z.strictObject({
  host: z
    .string()
    .min(1)
    .max(300)
    .describe('a host, `*.example.com` for all below it, `@list` for a list by name, `*` for any'),
  port: z
    .union([port, z.array(port).min(1)])
    .optional()
    .describe('port or ports; absent means any'),
  method: z
    .union([method, z.array(method).min(1)])
    .optional()
    .describe('method or methods; absent means any'),
  path: z.string().startsWith('/').max(2_000).optional().describe('path pattern; absent means any'),
  action: ruleAction.describe('allow: the boundary has no objection, and the rules decide'),
});

const openAddress = z
  .string()
  .max(300)
  .refine((text) => parseOpenAddress(text) !== undefined, {
    error: 'expected an address, a range like `10.1.0.0/16` or a host, each with `:port` or without',
  });

export const networkSchema = z
  .strictObject({
    default: ruleAction
      .optional()
      .describe('what no rule names; of the top level and the tenant the stricter counts; ask when absent'),
    rules: z
      .array(NetworkRuleSchema)
      .default([])
      .describe('ordered; the first match of a list counts, and of both lists the stricter'),
    allow_private: z
      .array(openAddress)
      .default([])
      .describe(
        'addresses that are closed otherwise: an address, a range or a host, port optional; those of the top level hold for every tenant, those of a tenant for it alone; link-local addresses must be named themselves, and the gateway itself cannot be opened',
      ),
    ca_files: z
      .array(z.string().min(1).max(1_024))
      .default([])
      .describe(
        "PEM files with authorities to trust beside the system's, relative to the home; those of the top level hold for every tenant",
      ),
    tunnel: z
      .array(hostPatternSchema)
      .default([])
      .describe(
        'hosts whose TLS is passed through unopened, for clients that pin certificates: nothing is lent there, and each connection is judged as a write; those of the top level hold for every tenant',
      ),
    pass_auth: z
      .array(hostPatternSchema)
      .default([])
      .describe(
        "hosts that get the agent's own `Authorization`, cookies and keys, also in the query or a form; elsewhere they are taken out or refused; those of the top level hold for every tenant",
      ),
    strip_headers: z
      .array(headerNameSchema)
      .max(100)
      .default([])
      .describe(
        "more headers that carry an agent's own credentials and are taken out of its requests; those of the top level hold for every tenant",
      ),
    read_budget: z
      .strictObject({
        request: budget.describe('by one read; 2048 when absent'),
        session: budget.describe('by all reads of a session to one host; 65536 when absent'),
      })
      .optional()
      .describe(
        'how much reads may carry out in addresses, queries and headers before a person is asked, in bytes; of the top level and the tenant the smaller counts',
      ),
    preview_body_bytes: z
      .int()
      .min(0)
      .max(1_048_576)
      .optional()
      .describe(
        "how much of a body is read before a request is judged, and shown to people, in bytes; the tenant's own goes before that of the top level; 65536 when neither is given",
      ),
    max_spool_bytes: z
      .int()
      .min(0)
      .max(1_099_511_627_776)
      .optional()
      .describe(
        "largest body that is kept on disk while people are asked, in bytes; the tenant's own goes before that of the top level; 1073741824 when neither is given",
      ),
  })
  .describe('where agents may go; a host that nothing names asks a person');
