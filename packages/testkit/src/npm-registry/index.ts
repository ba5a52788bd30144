export { type NpmRegistry, startNpmRegistry } from './npm-registry.ts';
