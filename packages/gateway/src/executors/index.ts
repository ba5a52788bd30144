export { CommandExecutor, type CommandExecutorParts } from './command/command-executor.ts';
export type { CommandMaterial } from './command/command-jail.ts';
export type { CommandCaller, CommandEnd, CommandLimits } from './command/command-job.ts';
export { CommandPath, type CommandPathParts } from './dispatch/command-path.ts';
export { createFilesPath, type FilesContext, FilesPath, type FilesPathOptions } from './files/files-path.ts';
export { HttpExecutor, type HttpJob, type Line, type Upgraded } from './http/index.ts';
export {
  type FromServer,
  type McpPeer,
  type McpServer,
  McpServers,
  type McpServersParts,
  type McpToolJob,
  type PendingChange,
  type ServerRequestOptions,
  type ServerState,
  ServersPath,
} from './mcp/index.ts';
export { plainResult } from './tools/plain-result.ts';
export type { ToolJob, ToolListing, ToolPath, ToolResult } from './tools/tool-path.ts';
export { ToolRouter } from './tools/tool-router.ts';
export type { WayOut } from './way-out.ts';
