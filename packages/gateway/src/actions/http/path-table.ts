interface Node {
  readonly literal: Map<string, Node>;
  any?: Node;
  /** template that ends here */
  ends?: string;
  /** template that ends here and covers everything below */
  below?: string;
}

/** Gives the template that covers the segments of a normalised path, or `undefined`. */
export type PathTable = (segments: readonly string[]) => string | undefined;

const newNode = (): Node => ({ literal: new Map() });

/**
 * Compiles path templates: `{}` or `{name}` is one segment that is not empty, a last `**` any number of further
 * ones, none included. A literal goes before a placeholder, the longer template before the shorter; a trailing
 * slash in the path is no segment.
 */
export function compilePathTable(templates: Iterable<string>): PathTable {
  const root = newNode();
  for (const template of templates) {
    let node = root;
    const parts = template.split('/').filter((part) => part !== '');
    const open = parts.at(-1) === '**';
    for (const part of open ? parts.slice(0, -1) : parts) node = child(node, part);
    if (open) node.below = template;
    else node.ends = template;
  }
  return (segments) => {
    const length = segments.at(-1) === '' ? segments.length - 1 : segments.length;
    return find(root, segments, 0, length);
  };
}

function child(node: Node, part: string): Node {
  if (part.startsWith('{')) {
    node.any ??= newNode();
    return node.any;
  }
  const existing = node.literal.get(part);
  if (existing !== undefined) return existing;
  const created = newNode();
  node.literal.set(part, created);
  return created;
}

function find(node: Node, segments: readonly string[], at: number, length: number): string | undefined {
  if (at === length) return node.ends ?? node.below;
  const segment = segments[at] ?? '';
  const literal = node.literal.get(segment);
  const found = literal === undefined ? undefined : find(literal, segments, at + 1, length);
  if (found !== undefined) return found;
  const any = node.any === undefined || segment === '' ? undefined : find(node.any, segments, at + 1, length);
  return any ?? node.below;
}
