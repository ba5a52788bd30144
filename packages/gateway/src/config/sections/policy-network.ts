import { z } from 'zod';
import { ruleAction } from './policy-rules.ts';

const method = z.string().regex(/^[A-Z]+$/, 'a method is written in capitals, for example `POST`');
const port = z.int().min(1).max(65_535);

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

export const networkSchema = z
  .strictObject({
    default: ruleAction
      .optional()
      .describe('what no rule names; of the top level and the tenant the stricter counts; ask when absent'),
    rules: z
      .array(NetworkRuleSchema)
      .default([])
      .describe('ordered; the first match of a list counts, and of both lists the stricter'),
  })
  .describe('where agents may go; a host that nothing names asks a person');
