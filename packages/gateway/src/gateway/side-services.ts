import type { HookFront } from '../doors/hook/index.ts';
import type { McpRoutesParts, OAuthRoutesParts, ServerControl } from '../doors/mcp/index.ts';
import type { CaControl } from '../doors/proxy/index.ts';
import type { SealRoutesParts, WorkloadControl } from '../doors/seal/index.ts';
import type { AgentServices, OperatorServices } from '../servers/index.ts';

/** What the routes of the agent side are handed. */
export interface AgentSideServices extends AgentServices {
  /** answers what clients' hooks ask */
  readonly hooks: HookFront;
  /** loaded with the first client */
  readonly mcp: McpRoutesParts['mcp'];
  /** loaded when the first program asks for a session */
  readonly oauth: OAuthRoutesParts['oauth'];
  /** loaded with the first worker */
  readonly seal: SealRoutesParts['seal'];
}

/** What the routes of the operator side are handed. */
export interface OperatorSideServices extends OperatorServices, AgentSideServices {
  readonly agentProcesses: OperatorServices['agentProcesses'];
  readonly ca: CaControl;
  readonly workloads: () => WorkloadControl | Promise<WorkloadControl>;
  /** MCP servers; loaded when somebody asks for them */
  readonly mcpServers: () => ServerControl | Promise<ServerControl>;
}
