export { apiDoor } from './definition.ts';
