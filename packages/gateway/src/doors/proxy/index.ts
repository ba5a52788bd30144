export { proxyDoor } from './definition.ts';
