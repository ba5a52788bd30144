export { openSeal, type Seal, type SealParts } from './open-seal.ts';
