export { type HookCall, HookDoor, type HookDoorParts } from './hook-door.ts';
