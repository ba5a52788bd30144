interface Ordered {
  /** place in the list that it was written in; the lowest that matches counts */
  readonly order: number;
}

interface Node<T> {
  edge: string;
  /** lowest order first */
  items: T[];
  children: Map<number, Node<T>> | undefined;
}

const newNode = <T>(edge: string): Node<T> => ({ edge, items: [], children: undefined });

/**
 * Finds the first of many patterns that fits a text, looking only at those whose literal start the text has.
 *
 * A radix tree: the cost is the length of the text plus the candidates, however many patterns there are.
 */
export class PrefixIndex<T extends Ordered> {
  readonly #root: Node<T> = newNode('');

  /** INVARIANT: items come in ascending order, so that the first accepted one of a node is its lowest. */
  insert(prefix: string, item: T): void {
    let node = this.#root;
    let rest = prefix;
    while (rest !== '') {
      node.children ??= new Map();
      const key = rest.charCodeAt(0);
      const child = node.children.get(key);
      if (child === undefined) {
        const leaf = newNode<T>(rest);
        node.children.set(key, leaf);
        node = leaf;
        break;
      }
      const shared = sharedLength(child.edge, rest);
      node = shared === child.edge.length ? child : split(node.children, key, child, shared);
      rest = rest.slice(shared);
    }
    node.items.push(item);
  }

  /** The accepted item of the lowest order below `limit`. `accept` is a plain function, so nothing is allocated. */
  first<E>(text: string, limit: number, accept: (item: T, text: string, extra: E) => boolean, extra: E) {
    let best: T | undefined;
    let lowest = limit;
    let node: Node<T> | undefined = this.#root;
    let at = 0;
    for (;;) {
      for (const item of node.items) {
        if (item.order >= lowest) break;
        if (accept(item, text, extra)) {
          best = item;
          lowest = item.order;
          break;
        }
      }
      if (node.children === undefined || at >= text.length) return best;
      node = node.children.get(text.charCodeAt(at));
      if (node === undefined || !text.startsWith(node.edge, at)) return best;
      at += node.edge.length;
    }
  }

  /** Every item whose prefix the text starts with. */
  all(text: string): T[] {
    const found: T[] = [];
    this.first(text, Number.POSITIVE_INFINITY, (item) => found.push(item) < 0, undefined);
    return found;
  }
}

function sharedLength(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  let i = 0;
  while (i < end && a.charCodeAt(i) === b.charCodeAt(i)) i += 1;
  return i;
}

function split<T>(siblings: Map<number, Node<T>>, key: number, child: Node<T>, at: number): Node<T> {
  const upper = newNode<T>(child.edge.slice(0, at));
  child.edge = child.edge.slice(at);
  upper.children = new Map([[child.edge.charCodeAt(0), child]]);
  siblings.set(key, upper);
  return upper;
}
