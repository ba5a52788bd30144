export { type HookCall, HookDoor, type HookDoorParts } from './hook-door.ts';
export { type HookFront, hookRoutes } from './routes.ts';
