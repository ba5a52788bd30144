export { mcpDoor } from './definition.ts';
