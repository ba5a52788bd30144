export { createAgentApp, createPlainConnections } from '../../gateway/agent-side.ts';
export type {
  AgentServices,
  CommonServices,
  ConfigControl,
  GatewayControl,
  OperatorServices,
  TrailReader,
} from '../../servers/services.ts';
export type { App } from '../../servers/base-app.ts';
export { bindConnection } from '../../servers/bound-connection.ts';
export { createHttpServer, DEFAULT_LIMITS, type HttpLimits, type TlsMaterial } from '../../servers/http-server.ts';
export { Metrics } from '../../servers/metrics.ts';
export { createOperatorApp } from '../../gateway/operator-side.ts';
export type { PlainConnections } from '../mcp/plain/plain-connections.ts';
export type { CaControl } from '../proxy/ca-routes.ts';
export type { OpenRun, RunControl } from '../../servers/operator/runs.ts';
