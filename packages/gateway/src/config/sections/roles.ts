import { z } from 'zod';
import { nameSchema } from './names.ts';
import { selectorSchema } from './selectors.ts';

const selectors = z.array(selectorSchema);

export const RoleSchema = z.strictObject({
  allow: selectors
    .default([])
    .describe(
      'what the role may do: `agent:<name>`, `tool:<name>`, `tool:<name>(<pattern>)`, `approve:<type>`; `*` stands for any',
    ),
  deny: selectors.default([]).describe('what it may not do, whatever another role allows; deny beats allow'),
});

export const RolesSchema = z
  .record(nameSchema, RoleSchema)
  .describe('roles by name; a tenant finds a role among its own first, then at the top level');
