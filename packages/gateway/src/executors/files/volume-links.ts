import { posix } from 'node:path';
import type { VolumeMap } from './volume-map.ts';
import type { LinkFact, VolumeStorage } from './volume-storage.ts';

/**
 * Looks at the agent's world, in which volumes stand at their mounts and nothing else exists: so that a path is judged
 * where a link inside its volume leads [GA-7]. A link out of its volume cannot be looked at, which the gate refuses
 * before anyone is asked. Targets are read as the sandbox reads them: an absolute one starts at its root.
 */
export function lookAtVolumes(
  path: string,
  map: VolumeMap,
  storageOf: (volume: string) => VolumeStorage | undefined,
): LinkFact {
  const found = map.find(path);
  if (found === undefined) return { kind: map.isAboveMount(path) ? 'plain' : 'missing' };
  // A mount covers what the volume around it has at that name.
  if (found.parts.length === 0) return { kind: 'plain' };
  const fact = storageOf(found.volume.name)?.linkAt(found.parts) ?? { kind: 'unreadable' };
  if (fact.kind !== 'link') return fact;
  const leads = map.find(posix.resolve('/', posix.dirname(path), fact.target));
  return leads?.volume === found.volume ? fact : { kind: 'unreadable' };
}
