export type { McpDoorParts, ServerHouse } from './door-parts.ts';
export type { McpDoor, McpHttpCall } from './mcp-door.ts';
export type { OAuthDoor } from './oauth/oauth-door.ts';
export { type OAuthRoutesParts, oauthRoutes } from './oauth/routes.ts';
export { createMcpFastPath } from './plain/node-requests.ts';
export { PlainCalls } from './plain/plain-calls.ts';
export { PlainConnections } from './plain/plain-connections.ts';
export { type McpRoutesParts, mcpRoutes } from './routes.ts';
export { mcpServersRoutes, type ServerControl } from './server-routes.ts';

/** The door itself, which most starts do not need. */
export const loadMcpDoor = async () => (await import('./mcp-door.ts')).McpDoor;
export const loadOAuthDoor = async () => (await import('./oauth/oauth-door.ts')).OAuthDoor;
