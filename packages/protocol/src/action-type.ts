/** The leaf action types, two levels: `category:action`. A category alone stands for all of its types in config. */
export const ACTION_TYPES = [
  'code:read',
  'code:write',
  'code:create',
  'code:delete',
  'code:refactor',
  'test:write',
  'test:run',
  'docs:write',
  'vcs:read',
  'vcs:commit',
  'vcs:push',
  'vcs:branch',
  'deploy:staging',
  'deploy:production',
  'comms:internal',
  'comms:external',
  'budget:spend',
  'budget:exceed',
  'org:hire',
  'org:fire',
  'org:promote',
  'db:query',
  'db:mutate',
  'db:admin',
  'arch:decide',
  'tool:create',
  'memory:read',
  'knowledge:ingest',
  'knowledge:reindex',
  'browser:navigate',
  'browser:screenshot',
  'browser:diff',
  'browser:accessibility_scan',
  'browser:spec',
  'external_data:request',
  'desktop:launch',
  'desktop:click',
  'desktop:type',
  'desktop:key',
  'desktop:screenshot',
  'desktop:scroll',
] as const;

/** Custom types that exist without being registered in the config. */
export const BUILT_IN_CUSTOM_TYPES = [
  'custom:inference',
  'custom:http',
  'custom:cli',
  'custom:destroy',
  'custom:connect',
  'custom:access',
] as const;

/** A program that nobody knows yet wants a session (OAuth): asked each time, answered by people alone. */
export const CONNECT = { type: 'custom:connect', tool: 'mcp.connect', clientPrefix: 'oauth-' } as const;

/** An agent asks for a whole task beforehand: always asked, and a yes leaves a grant for each line. */
export const ACCESS = { type: 'custom:access', tool: 'request_access' } as const;

/** Coarse types that only the approval API produces. */
export const API_ACTION_TYPES = ['exec_cmd', 'http_request', 'write_file', 'send_message'] as const;

export type BuiltInActionType = (typeof ACTION_TYPES)[number];
/** `custom:…`, and what a config registers under `custom_types`, with any category. */
export type ActionType = BuiltInActionType | (typeof API_ACTION_TYPES)[number] | `${string}:${string}`;
