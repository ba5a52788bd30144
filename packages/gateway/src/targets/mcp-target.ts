import type { McpTarget } from '@sallyport/protocol';
import { NO_HOSTS, never, none, type TargetDefinition } from './target-definition.ts';

/** A tool of an MCP server: where it leads, only the arguments say that a config names. */
export const mcpTarget: TargetDefinition<McpTarget> = {
  ruledBy: 'paths',
  namesNothing: true,
  paths: never,
  namesEveryPath: true,
  namedPaths: never,
  // An MCP server does not work in the agent's folder: no `./` pattern is about its paths.
  folder: () => '',
  hosts: () => NO_HOSTS,
  domains: never,
  addresses: never,
  account: none,
  repositories: never,
  missing: () => 'PathOutsideBoundary',
  pattern: none,
  operations: ({ server }, { tool }) => [{ operation: tool, object: server, unlisted: true }],
  summary: ({ server, tool }) => `${server}/${tool}`,
};
