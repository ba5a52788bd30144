import { cargoRegistries } from './cargo-registries.ts';
import { goRegistries } from './go-registries.ts';
import { mavenRegistries } from './maven-registries.ts';
import { npmRegistries } from './npm-registries.ts';
import { pipRegistries } from './pip-registries.ts';
import type { HostFacts, Registry, RegistrySource } from './registry.ts';

const SOURCES: readonly RegistrySource[] = [
  npmRegistries,
  pipRegistries,
  cargoRegistries,
  goRegistries,
  mavenRegistries,
];

/**
 * The package registries that this host's own clients are set up with: from their environment, their config
 * files, and their installations where the default stands. Runs no program and asks no network; a client that
 * is not installed contributes nothing. Each client, host and port once, the first source kept.
 */
export function discoverRegistries(facts: HostFacts): readonly Registry[] {
  const found = new Map<string, Registry>();
  for (const source of SOURCES) {
    for (const registry of source(facts)) {
      const key = `${registry.client} ${registry.host}:${registry.port}`;
      if (!found.has(key)) found.set(key, registry);
    }
  }
  return [...found.values()];
}
