export { HttpExecutor } from './http/http-executor.ts';
export type { HttpJob } from './http/http-job.ts';
export type { ToolJob, ToolListing, ToolPath, ToolResult } from './tools/tool-path.ts';
