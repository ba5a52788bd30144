import type { ProblemList } from './problem-list.ts';
import type { MapEntry, MapNode, Place, SourceNode } from './source-node.ts';

/**
 * One map of two files: maps are merged deeply, lists are appended after the first file's.
 *
 * The same key with two different values is a problem that names both places: neither file wins silently.
 */
export function mergeMaps(first: MapNode, second: MapNode, problems: ProblemList): MapNode {
  const entries = new Map<string, MapEntry>(first.entries);
  for (const [key, entry] of second.entries) {
    const known = entries.get(key);
    if (known === undefined) {
      entries.set(key, entry);
      continue;
    }
    const value = mergeValues(known.value, entry.value, problems, () => {
      problems.error(
        entry.keyPlace,
        `key \`${key}\` is set here and in ${shownPlace(known.keyPlace)}`,
        'keep one of them',
      );
    });
    entries.set(key, { keyPlace: known.keyPlace, value });
  }
  return { kind: 'map', place: first.place, entries };
}

function mergeValues(
  first: SourceNode,
  second: SourceNode,
  problems: ProblemList,
  onConflict: () => void,
): SourceNode {
  if (first.kind === 'map' && second.kind === 'map') return mergeMaps(first, second, problems);
  if (first.kind === 'list' && second.kind === 'list') {
    return { kind: 'list', place: first.place, items: [...first.items, ...second.items] };
  }
  // `users:` with nothing under it says nothing, and is filled by the other file.
  if (first.kind === 'scalar' && first.value === null) return second;
  if (second.kind === 'scalar' && second.value === null) return first;
  const same = first.kind === 'scalar' && second.kind === 'scalar' && first.value === second.value;
  if (!same) onConflict();
  return first;
}

function shownPlace(place: Place): string {
  return `${place.source.name}:${place.line}:${place.column}`;
}
