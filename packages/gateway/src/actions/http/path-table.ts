interface Node<Value> {
  readonly literal: Map<string, Node<Value>>;
  /** literals in lower case: what a router that does not mind case takes for one of them */
  readonly folded: Set<string>;
  any?: Node<Value>;
  /** one or more segments, before what the node says */
  some?: Node<Value>;
  /** what ends here */
  ends?: Value;
  /** what ends here and covers everything below */
  below?: Value;
}

/** Gives what covers the segments of a normalised path, or `undefined`. */
export type PathTree<Value> = (segments: readonly string[]) => Value | undefined;

const newNode = <Value>(): Node<Value> => ({ literal: new Map(), folded: new Set() });

/**
 * Compiles path templates: `{}` or `{name}` is one segment that is not empty, `{name+}` one or more, a last `**` any
 * number of further ones, none included. A literal goes before a placeholder, the longer template before the shorter; a
 * trailing slash in the path is no segment. `keep`: what becomes of a template that comes twice.
 *
 * SECURITY: a literal in another case is no placeholder's either: `/runners/REGISTRATION-TOKEN` is not known.
 */
export function compilePathTree<Value>(
  entries: Iterable<readonly [template: string, value: Value]>,
  keep: (old: Value, added: Value) => Value = (_, added) => added,
): PathTree<Value> {
  const root = newNode<Value>();
  const settle = (old: Value | undefined, added: Value): Value =>
    old === undefined ? added : keep(old, added);
  for (const [template, value] of entries) {
    let node = root;
    const parts = template.split('/').filter((part) => part !== '');
    const open = parts.at(-1) === '**';
    for (const part of open ? parts.slice(0, -1) : parts) node = child(node, part);
    if (open) node.below = settle(node.below, value);
    else node.ends = settle(node.ends, value);
  }
  return (segments) => {
    const length = segments.at(-1) === '' ? segments.length - 1 : segments.length;
    return find(root, segments, 0, length);
  };
}

/** The template that covers the segments. */
export type PathTable = PathTree<string>;

export function compilePathTable(templates: Iterable<string>): PathTable {
  return compilePathTree([...templates].map((template) => [template, template] as const));
}

function child<Value>(node: Node<Value>, part: string): Node<Value> {
  if (part.endsWith('+}')) {
    node.some ??= newNode();
    return node.some;
  }
  if (part.startsWith('{')) {
    node.any ??= newNode();
    return node.any;
  }
  const existing = node.literal.get(part);
  if (existing !== undefined) return existing;
  const created = newNode<Value>();
  node.literal.set(part, created);
  node.folded.add(part.toLowerCase());
  return created;
}

function find<Value>(
  node: Node<Value>,
  segments: readonly string[],
  at: number,
  length: number,
): Value | undefined {
  if (at === length) return node.ends ?? node.below;
  const segment = segments[at] ?? '';
  const literal = node.literal.get(segment);
  const found = literal === undefined ? undefined : find(literal, segments, at + 1, length);
  if (found !== undefined) return found;
  if (segment !== '' && (literal !== undefined || !isFolded(node, segment))) {
    const any = node.any === undefined ? undefined : find(node.any, segments, at + 1, length);
    const some = any ?? (node.some === undefined ? undefined : findBehind(node.some, segments, at, length));
    if (some !== undefined) return some;
  }
  return node.below;
}

const isFolded = <Value>({ folded }: Node<Value>, segment: string): boolean =>
  folded.size > 0 && folded.has(segment.toLowerCase());

/** The longest ending that is known goes first: `branches/a/b/protection` is the protection of `a/b`. */
function findBehind<Value>(
  node: Node<Value>,
  segments: readonly string[],
  at: number,
  length: number,
): Value | undefined {
  if (node.literal.size > 0) {
    for (let end = at + 1; end < length; end += 1) {
      const literal = node.literal.get(segments[end] ?? '');
      const found = literal === undefined ? undefined : find(literal, segments, end + 1, length);
      if (found !== undefined) return found;
    }
  }
  return node.ends ?? node.below;
}
