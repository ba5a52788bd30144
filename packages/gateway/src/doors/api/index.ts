export { createAgentApp, createPlainConnections } from './agent-app.ts';
export type {
  AgentServices,
  CommonServices,
  ConfigControl,
  GatewayControl,
  OperatorServices,
  TrailReader,
} from './api-services.ts';
export type { App } from './base-app.ts';
export { bindConnection } from './bound-connection.ts';
export { createHttpServer, DEFAULT_LIMITS, type HttpLimits, type TlsMaterial } from './http-server.ts';
export { Metrics } from './metrics.ts';
export { createOperatorApp } from './operator-app.ts';
export type { PlainConnections } from './plain/plain-connections.ts';
export type { CaControl } from './routes/ca.ts';
export type { OpenRun, RunControl } from './routes/runs.ts';
