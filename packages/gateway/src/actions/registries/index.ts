export { discoverRegistries } from './discover.ts';
export { type HostFiles, hostFiles } from './host-files.ts';
export { loadHostLists, mergeHostLists } from './host-lists.ts';
export { type HostFacts, type PackageClient, type Registry, registryEntry } from './registry.ts';
