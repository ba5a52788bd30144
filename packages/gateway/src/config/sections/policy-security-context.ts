import { ARGUMENT_KINDS } from '@sallyport/protocol';
import { z } from 'zod';
import { toolPattern } from './policy-rules.ts';
import { nameSchema } from './values.ts';

/** Program → first words that it may be called with; `*` stands for any. */
export const subcommandAllowlistSchema = z
  .record(z.string().min(1).max(100), z.array(z.string().min(1).max(100)))
  .describe('program → allowed first positional arguments, `*` for any; what is not listed is refused');

const absolutePath = z
  .string()
  .regex(/^\/(?!.*(?:^|\/)\.{1,2}(?:\/|$))/, 'a path starts with `/` and has no `.` or `..`');

const argumentTarget = z
  .strictObject({
    arg: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('name of the argument; a call without it is refused; not looked at for `none`'),
    kind: z
      .enum(ARGUMENT_KINDS)
      .describe(
        'what the argument is: `path` (absolute), `url`, `domain`, `address` (mail address or account), `command`; `none` for a tool that has no such argument',
      ),
  })
  .refine(({ arg, kind }) => kind === 'none' || arg !== undefined, {
    path: ['arg'],
    error: 'name the argument, or say `kind: none`',
  });

const CapabilitySchema = z.strictObject({
  tool: toolPattern.describe('tool that this is about; `fs.*` covers `fs.read`, not `fsx.read`'),
  target: argumentTarget
    .optional()
    .describe(
      'where a call leads, for tools that are not built in (of MCP servers): the allowlists look there',
    ),
  path_allowlist: z
    .array(absolutePath)
    .optional()
    .describe('folders that every path of the call must lie in; absent means no limit, empty means none'),
  domain_allowlist: z
    .array(z.string().min(1).max(300))
    .optional()
    .describe('hosts, or domains of addresses, that the call may name; `*.example.com` for all below'),
  account_allowlist: z
    .array(z.string().min(1).max(320))
    .optional()
    .describe('accounts that the call may act as'),
  subcommand_allowlist: subcommandAllowlistSchema.optional(),
  rate: z
    .strictObject({
      calls: z.int().min(0).describe('calls in the window at most; refused calls count too'),
      per_seconds: z.int().min(1).max(86_400).describe('length of the sliding window'),
    })
    .optional()
    .describe('how often the tool may be called'),
  max_output_bytes: z
    .int()
    .min(1)
    .max(8_388_608)
    .optional()
    .describe('a result that is larger is refused; 8 Mi characters at most in any case'),
  timeout_seconds: z
    .int()
    .min(1)
    .max(86_400)
    .optional()
    .describe('a call that takes longer, people not counted, is broken off'),
});

export const SecurityContextSchema = z.strictObject({
  deny_list: z.array(toolPattern).default([]).describe('tools that are refused whatever else is said'),
  capabilities: z
    .array(CapabilitySchema)
    .optional()
    .describe('what may be called, and with what; a tool that none covers is refused; absent means no limit'),
});

export const securityContextsSchema = z
  .record(nameSchema, SecurityContextSchema)
  .describe('boundaries by name, which agents point at with `security_context`');

export const builtinDispatchersSchema = z
  .strictObject({
    cmd: z
      .strictObject({ subcommand_allowlist: subcommandAllowlistSchema })
      .optional()
      .describe('ceiling for `cmd.run`, whatever a security context says'),
  })
  .describe('limits of the node for its built-in dispatchers');
