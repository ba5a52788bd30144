export type { OAuthParts } from './door-parts.ts';
export { OAuthDoor } from './oauth-door.ts';
