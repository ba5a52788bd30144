export { sealDoor } from './definition.ts';
