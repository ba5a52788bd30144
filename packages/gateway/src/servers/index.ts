export { sessionOf } from './agent-auth.ts';
export { createAgentSide } from './agent-side.ts';
export { clientOf, readerOf, requireApiKey, requireInboxSecret, requireReader } from './api-client-auth.ts';
export type { App, BaseAppOptions } from './base-app.ts';
export { presentedToken } from './bearer.ts';
export { bindConnection, boundSession } from './bound-connection.ts';
export type { DoorDefinition, OpenDoor, PortListener } from './door-definition.ts';
export { toPublicError } from './error-answer.ts';
export { explainForeignRequest, type HostPolicy } from './host-check.ts';
export { createHttpServer, DEFAULT_LIMITS, type HttpLimits, type TlsMaterial } from './http-server.ts';
export { parseJsonBody } from './json-parser.ts';
export { listenOnSocket } from './listen.ts';
export { listenerUrls } from './listener-urls.ts';
export { type Listeners, openListeners } from './listeners.ts';
export { Metrics } from './metrics.ts';
export type { OpenRun, RunControl } from './operator/runs.ts';
export { createOperatorSide } from './operator-side.ts';
export { SECURITY_HEADERS } from './security-headers.ts';
export type {
  AgentServices,
  CommonServices,
  ConfigControl,
  OperatorServices,
  ServerControl,
  TrailReader,
} from './services.ts';
export { showOnce } from './shown-once.ts';
export { type SseMessage, writeSse } from './sse.ts';
export { readTlsFiles } from './tls-files.ts';
export { operatorOf, timestamp } from './wire.ts';
