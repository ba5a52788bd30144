export { createAgentSide } from './agent/agent-side.ts';
export { bindConnection, boundSession, sessionOf } from './agent-auth.ts';
export { clientOf, readerOf, requireApiKey, requireInboxSecret, requireReader } from './api-client-auth.ts';
export type { App, BaseAppOptions } from './base-app.ts';
export { presentedToken } from './bearer.ts';
export type { DoorDefinition, OpenDoor, PortListener } from './door-definition.ts';
export { toPublicError } from './error-answer.ts';
export { explainForeignRequest, type HostPolicy } from './host-check.ts';
export {
  createHttpServer,
  DEFAULT_LIMITS,
  type HttpLimits,
  SECURITY_HEADERS,
  type TlsMaterial,
} from './http-server.ts';
export { parseJsonBody } from './json-parser.ts';
export { listenOnSocket } from './listen.ts';
export { type Listeners, listenerUrls, openListeners } from './listeners.ts';
export { Metrics } from './metrics.ts';
export { createOperatorSide } from './operator/operator-side.ts';
export type {
  OpenRun,
  OperatorServices,
  RunControl,
  RunEnding,
  ServerControl,
  SnapshotControl,
  TrailReader,
} from './operator-services.ts';
export type { AgentServices, CommonServices, ConfigControl } from './services.ts';
export { showOnce } from './shown-once.ts';
export { type SseMessage, writeSse } from './sse.ts';
export { readTlsFiles } from './tls-files.ts';
export { operatorOf, timestamp } from './wire.ts';
