export type { McpDoorParts, ServerHouse } from './door-parts.ts';
export { McpDoor, type McpHttpCall } from './mcp-door.ts';
