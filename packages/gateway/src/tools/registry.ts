import { CLIENT_TOOLS } from './client-tools.ts';
import { COMMAND_TOOLS } from './command-tools.ts';
import { FILE_TOOLS } from './file-tools.ts';
import type { CallFacts, ToolCategory, ToolDefinition } from './tool-definition.ts';

/** Services that an MCP server brings: the config says which one. */
const SERVICE_TOOLS = {
  'web.fetch': {
    category: 'web',
    pattern: 'request',
    by: 'external',
    docs: 'gets a page, by the MCP server that offers it',
    call: CLIENT_TOOLS.WebFetch.call,
  },
  'web.search': {
    category: 'web',
    pattern: 'none',
    by: 'external',
    docs: 'searches the web; it names no host',
    call: CLIENT_TOOLS.WebSearch.call,
  },
  'email.send': {
    category: 'communication',
    pattern: 'address',
    by: 'external',
    docs: 'sends a mail',
    call: {
      type: 'comms:external',
      effect: 'write',
      reach: 'remote',
      target: { kind: 'address', account: 'from', to: ['to', 'cc', 'bcc'] },
    },
  },
  'email.read': {
    category: 'communication',
    pattern: 'address',
    by: 'external',
    docs: 'reads a mailbox',
    call: {
      type: 'comms:external',
      effect: 'read',
      reach: 'remote',
      target: { kind: 'address', account: 'account', to: [] },
    },
  },
} as const satisfies Readonly<Record<string, ToolDefinition>>;

const program = (category: ToolCategory, docs: string) =>
  ({ category, pattern: 'arguments', by: 'line', docs }) as const satisfies ToolDefinition;
const talk = (docs: string) =>
  ({ category: 'internal', pattern: 'none', by: 'door', docs }) as const satisfies ToolDefinition;

/** Names that no tool call has: what doors see of requests and shells, programs in a line, the doors' own tools. */
const SEEN_NAMES = {
  http: { category: 'web', pattern: 'request', by: 'door', docs: 'a request that the proxy sees' },
  ssh: { category: 'terminal', pattern: 'none', by: 'door', docs: 'a connection to another machine' },
  git: program('version_control', 'git in a line of the shell'),
  gh: program('version_control', "GitHub's program"),
  aws: program('deployment', "AWS's program"),
  gcloud: program('deployment', "Google Cloud's program"),
  kubectl: program('deployment', "Kubernetes' program"),
  terraform: program('deployment', 'Terraform'),
  curl: program('web', 'curl'),
  datadog: program('analytics', "Datadog's program"),
  linear: program('communication', "Linear's program"),
  ask_agent: talk('asks another agent'),
  list_tools: talk('lists tools'),
  load_tool: talk('loads the description of a tool'),
  load_tool_resource: talk('loads what belongs to a description'),
  request_access: talk('asks people for a whole task beforehand'),
  wait_for_approval: talk('waits for the answer to a pending call'),
} as const satisfies Readonly<Record<string, ToolDefinition>>;

/** Every tool that rules, levels and lists may name, but those of MCP servers. */
export const TOOLS = {
  ...CLIENT_TOOLS,
  ...FILE_TOOLS,
  ...COMMAND_TOOLS,
  ...SERVICE_TOOLS,
  ...SEEN_NAMES,
} as const satisfies Readonly<Record<string, ToolDefinition>>;

export type ToolName = keyof typeof TOOLS;

/** Tools that come by the family: everything below the prefix. */
const FAMILIES: readonly (readonly [prefix: string, entry: Pick<ToolDefinition, 'category' | 'pattern'>])[] =
  [
    ['fs.', { category: 'file_system', pattern: 'path' }],
    ['web.', { category: 'web', pattern: 'request' }],
    ['email.', { category: 'communication', pattern: 'address' }],
    ['cmd.', { category: 'terminal', pattern: 'command' }],
    ['mcp:', { category: 'mcp', pattern: 'path' }],
  ];

const BY_NAME: ReadonlyMap<string, ToolDefinition> = new Map(Object.entries(TOOLS));

/** Names of all of them. */
export const TOOL_NAMES: readonly string[] = [...BY_NAME.keys()];

export function isKnownTool(name: string): boolean {
  return BY_NAME.has(name);
}

export function findTool(name: string): ToolDefinition | undefined {
  return BY_NAME.get(name);
}

/** Undefined: nobody knows what a call of this name does, so it is a remote write of the highest risk. */
export function callFacts(name: string): CallFacts | undefined {
  return BY_NAME.get(name)?.call;
}

/** Category and pattern of a tool, or of the family that its name belongs to. */
export function shapeOf(name: string): Pick<ToolDefinition, 'category' | 'pattern'> | undefined {
  const exact = BY_NAME.get(name);
  if (exact !== undefined) return exact;
  for (const [prefix, entry] of FAMILIES) if (name.startsWith(prefix)) return entry;
  return undefined;
}

/** Whether a wildcard such as `fs.*` (given without the star) can name a tool at all. */
export function isFamily(prefix: string): boolean {
  return FAMILIES.some(([family]) => prefix.startsWith(family));
}
