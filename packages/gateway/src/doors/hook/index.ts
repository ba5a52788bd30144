export { hookDoor } from './definition.ts';
