import type { ConfigPath } from '../checks/config-check.ts';

/** One file of the config, under the names that different readers know it by. */
export interface SourceFile {
  /** absolute */
  readonly path: string;
  /** relative to the main file's folder: what events and verdicts call it, without telling about the machine */
  readonly name: string;
  /** as the caller wrote it: what people click on */
  readonly shown: string;
}

/** A place in a file; line and column count from 1. */
export interface Place {
  readonly source: SourceFile;
  readonly line: number;
  readonly column: number;
}

/** A value of the config with the place where it stands. */
export type SourceNode = MapNode | ListNode | ScalarNode;

export interface MapNode {
  readonly kind: 'map';
  readonly place: Place;
  readonly entries: ReadonlyMap<string, MapEntry>;
}

export interface MapEntry {
  readonly keyPlace: Place;
  readonly value: SourceNode;
}

export interface ListNode {
  readonly kind: 'list';
  readonly place: Place;
  readonly items: readonly SourceNode[];
}

export interface ScalarNode {
  readonly kind: 'scalar';
  readonly place: Place;
  readonly value: string | number | boolean | null;
  /** as written, before variables were expanded: safe to show, the value may not be */
  readonly written: string;
  /** its value is not what was meant, and why is reported already */
  readonly broken: boolean;
}

/** The node at a path; undefined when the sources have none there. */
export function nodeAt(root: SourceNode, path: ConfigPath): SourceNode | undefined {
  let node: SourceNode | undefined = root;
  for (const step of path) {
    if (node?.kind === 'map') node = node.entries.get(String(step))?.value;
    else if (node?.kind === 'list') node = node.items[Number(step)];
    else return undefined;
  }
  return node;
}

/**
 * Where people should look for a path: the key of a map or list, the value of a scalar, the item of a list.
 * Undefined when the sources have nothing there.
 */
export function placeOf(root: SourceNode, path: ConfigPath): Place | undefined {
  const node = nodeAt(root, path);
  if (node === undefined || node.kind === 'scalar') return node?.place;
  return keyPlaceOf(root, path) ?? node.place;
}

/** Where the key stands that a path ends with. */
export function keyPlaceOf(root: SourceNode, path: ConfigPath): Place | undefined {
  const parent = nodeAt(root, path.slice(0, -1));
  return parent?.kind === 'map' ? parent.entries.get(String(path.at(-1)))?.keyPlace : undefined;
}

/**
 * The plain value of a node.
 *
 * SECURITY: maps have no prototype, so that no key of a file reaches `Object.prototype`.
 */
export function plainValue(node: SourceNode): unknown {
  switch (node.kind) {
    case 'scalar':
      return node.value;
    case 'list':
      return node.items.map(plainValue);
    case 'map': {
      const value: Record<string, unknown> = Object.create(null);
      for (const [key, entry] of node.entries) value[key] = plainValue(entry.value);
      return value;
    }
  }
}
