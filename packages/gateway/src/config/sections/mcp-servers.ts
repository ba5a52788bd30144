import { z } from 'zod';
import { parseReadsEntry, READS_PRESET_NAMES } from '../../tools/index.ts';
import {
  headerNameSchema,
  hostPatternSchema,
  nameSchema,
  safeUrlSchema,
  secretReferenceSchema,
} from './values.ts';

/** `web.fetch`, `web.*`: dotted, so that it cannot be taken for a tool of a client. */
const CAPABILITY = /^[a-z][a-z0-9_-]{0,63}(?:\.[a-z0-9_-]{1,64}){0,4}\.(?:[a-z0-9_-]{1,64}|\*)$/;
/** `get_issue`, `get_*`, `*`, `@filesystem/…` */
const READ = /^(?:[A-Za-z0-9][A-Za-z0-9._/-]{0,127}\*?|\*|@[a-z0-9-]{1,64}\/[0-9a-f]{32})$/;
/** `@filesystem/…`: a preset, for the definitions that were accepted with it */
const isKnownPreset = (entry: string): boolean =>
  READS_PRESET_NAMES.includes(parseReadsEntry(entry)?.name ?? '');
/** The gateway's own tools: no server may take their place. */
const OWN = /^(?:fs|cmd)\./;
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]{0,127}$/;
/** What makes a process load code, or is the gateway's to set. */
const NOT_A_VARIABLE = /^(?:LD_.*|DYLD_.*|NODE_OPTIONS|BASH_ENV|ENV|PYTHONSTARTUP|PATH|HOME|LANG|TMPDIR)$/;

const PORT = /^(?<host>.*[^:]):(?<port>[1-9]\d{0,4})$/;

/** `api.example.com`, `*.example.com`, each with a port or without. */
const egressSchema = z
  .string()
  .max(266)
  .refine(
    (text) => {
      const { host = text, port = '443' } = PORT.exec(text)?.groups ?? {};
      return hostPatternSchema.safeParse(host).success && Number(port) <= 65_535;
    },
    {
      error: 'not a host',
      params: { hint: 'write `api.example.com`, `*.example.com` or `api.example.com:8443`' },
    },
  );

const pathsSchema = z.array(
  z
    .string()
    .max(1_024)
    .regex(/^\/[^\0\r\n]*$/, 'expected an absolute path'),
);

const SandboxSchema = z
  .strictObject({
    read: pathsSchema
      .default([])
      .describe('paths that it may read: its program, if that is not of the system'),
    write: pathsSchema.default([]).describe('paths that it may write'),
  })
  .describe(
    'its process in a jail of its own: no network, a home of its own, and of all files the system’s and these',
  );

const McpServerSchema = z
  .strictObject({
    name: nameSchema.describe('stands in the names of its tools: `mcp:NAME/tool`'),
    executable: z
      .string()
      .min(1)
      .max(1_024)
      .optional()
      .describe('program to start, which speaks MCP on stdin and stdout'),
    args: z.array(z.string().max(4_096)).max(256).default([]).describe('its arguments'),
    url: safeUrlSchema.optional().describe('or: address of a server that speaks Streamable HTTP'),
    tenants: z
      .array(nameSchema)
      .min(1)
      .default(['default'])
      .describe('whose agents may use it, as far as their policies allow'),
    capabilities: z
      .array(
        z
          .string()
          .regex(CAPABILITY, 'expected a dotted name like `web.fetch`, or `web.*`')
          .refine((name) => !OWN.test(name), { error: '`fs.*` and `cmd.*` are tools of the gateway itself' }),
      )
      .max(256)
      .default([])
      .describe('its tools of these names are called by them alone, so that rules for `web.*` hold for them'),
    reads: z
      .array(
        z
          .string()
          .regex(READ, 'expected the name of a tool, or how names begin: `get_*`')
          .refine((entry) => !entry.startsWith('@') || isKnownPreset(entry), {
            error: 'there is no such preset',
            params: { hint: 'copy the entry that `sallyport servers reads` shows' },
          }),
      )
      .max(1_000)
      .default([])
      .describe(
        'its tools that only read, as you know it, and presets as `sallyport servers reads` shows them: judged as reads, all others as writes',
      ),
    credentials: z
      .record(z.string().min(1).max(128), secretReferenceSchema)
      .default({})
      .describe(
        'variables of its process (with `url`: headers of its requests) and where their values are read from',
      ),
    env: z
      .record(z.string().min(1).max(128), z.string().max(4_096))
      .default({})
      .describe(
        'variables of its process that are no secrets, like `NODE_EXTRA_CA_CERTS` or the address of a service; secrets are `credentials`',
      ),
    health_check: z
      .strictObject({
        interval_seconds: z.int().min(1).max(86_400).default(60).describe('time between two checks'),
        method: z
          .enum(['ping', 'tools/list'])
          .default('tools/list')
          .describe('what it is asked; `tools/list` also looks for changed definitions'),
      })
      .prefault({})
      .describe('a server that does not answer is started anew'),
    timeout_seconds: z
      .int()
      .min(1)
      .max(86_400)
      .default(300)
      .describe('how long an answer may take; progress that the server reports begins it anew'),
    sandbox: z
      .union([z.literal('none'), SandboxSchema])
      .optional()
      .describe(
        'the jail of its process, which it has also without this key; `none`: it runs as the gateway’s own user, and can read what that can',
      ),
    egress: z
      .array(egressSchema)
      .max(256)
      .default([])
      .describe(
        'hosts that it may reach from its `sandbox`, by HTTPS through the gateway; port 443 unless another is named',
      ),
    skip_judge: z
      .boolean()
      .default(false)
      .describe('whether `tool_validation` is left out for its tools; every other check stays'),
  })
  .superRefine(({ executable, args, url, credentials, env, sandbox, egress }, context) => {
    const issue = (path: readonly string[], message: string): void =>
      context.addIssue({ code: 'custom', path: [...path], message });
    if ((executable === undefined) === (url === undefined))
      issue([executable === undefined ? 'name' : 'url'], 'a server has either an `executable` or a `url`');
    if (url !== undefined && sandbox !== undefined)
      issue(['sandbox'], 'there is no process to put in a `sandbox`');
    if ((sandbox === 'none' || url !== undefined) && egress.length > 0)
      issue(['egress'], 'only a server in a `sandbox` can be kept to some hosts');
    if (url !== undefined && args.length > 0) issue(['args'], '`args` belong to an `executable`');
    for (const name of Object.keys(env)) {
      if (url !== undefined) issue(['env', name], 'there is no process that has variables');
      else if (!VARIABLE.test(name)) issue(['env', name], 'not the name of a variable');
      else if (NOT_A_VARIABLE.test(name)) issue(['env', name], 'this variable is not yours to set');
      else if (Object.hasOwn(credentials, name)) issue(['env', name], '`credentials` has it already');
    }
    for (const name of Object.keys(credentials)) {
      if (url === undefined && !VARIABLE.test(name))
        issue(['credentials', name], 'not the name of a variable');
      if (url === undefined && NOT_A_VARIABLE.test(name))
        issue(['credentials', name], 'this variable is not for credentials');
      if (url !== undefined && !headerNameSchema.safeParse(name).success)
        issue(['credentials', name], 'not the name of a header that may be set');
    }
  });

export const McpServersSchema = z
  .array(McpServerSchema)
  .max(200)
  .superRefine((servers, context) => {
    const names = new Set<string>();
    const owners = new Map<string, string>();
    for (const [index, { name, capabilities }] of servers.entries()) {
      if (names.has(name))
        context.addIssue({
          code: 'custom',
          path: [index, 'name'],
          message: `there are two servers \`${name}\``,
        });
      names.add(name);
      for (const [at, capability] of capabilities.entries()) {
        const owner = owners.get(capability);
        if (owner !== undefined)
          context.addIssue({
            code: 'custom',
            path: [index, 'capabilities', at],
            message: `\`${owner}\` has \`${capability}\` already`,
          });
        owners.set(capability, name);
      }
    }
  })
  .describe('MCP servers whose tools agents may use, as far as their policies allow');

export type McpServerConfig = z.infer<typeof McpServerSchema>;

/** Key of the top level. */
export const mcpServersShape = { mcp_servers: McpServersSchema.default([]) };
