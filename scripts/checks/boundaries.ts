import { posix } from 'node:path';
import { type Finding, importsOf, isTest, type SourceFile } from './source-files.ts';

/**
 * The flow of the picture in docs/architecture.md, as numbers: a folder of `gateway/src` imports only from
 * folders with a smaller number, and from those only their `index.ts`. Equal numbers do not know each other.
 */
const RANK: Readonly<Record<string, number>> = {
  shared: 0,
  tools: 0.5,
  targets: 0.6,
  config: 1,
  store: 1,
  audit: 2,
  authority: 2,
  coordination: 2,
  identity: 3,
  credentials: 4,
  workspace: 4.2,
  ground: 4.5,
  egress: 5,
  sandbox: 5,
  executors: 6,
  trust: 6,
  approvals: 7,
  gate: 8,
  actions: 9,
  commands: 9.5,
  rehearsal: 10,
  calls: 10,
  agents: 10,
  admission: 10.5,
  servers: 11,
  doors: 12,
  runs: 12,
  gateway: 13,
};

/** Which packages a package's sources may import. Tests may use the testkit too. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  protocol: [],
  client: ['@sallyport/protocol'],
  worker: ['@sallyport/protocol'],
  gateway: ['@sallyport/protocol'],
  console: ['@sallyport/protocol', '@sallyport/client'],
  cli: ['@sallyport/protocol', '@sallyport/client', '@sallyport/gateway'],
  testkit: ['@sallyport/protocol', '@sallyport/client', '@sallyport/gateway'],
};

const GATEWAY = 'packages/gateway/src/';

/** Public files besides an `index.ts`: what every start loads, without what only some of them need. */
const ALSO_PUBLIC: ReadonlySet<string> = new Set([`${GATEWAY}executors/http/index.ts`]);

export function findBoundaryBreaks(files: readonly SourceFile[]): Finding[] {
  const findings: Finding[] = [];
  for (const file of files) {
    for (const { specifier, line } of importsOf(file)) {
      const message = specifier.startsWith('.')
        ? insidePackage(file.path, posix.join(posix.dirname(file.path), specifier))
        : acrossPackages(file.path, specifier);
      if (message !== undefined) findings.push({ path: file.path, line, message });
    }
  }
  return findings;
}

/** So many folders may `gateway/`, the wiring, know: more, and nobody sees any more what starts what. */
const MOST_WIRED = 12;

/** `gateway/` when it imports from more folders than it may, with their names. */
export function findWideWiring(files: readonly SourceFile[]): Finding[] {
  const known = new Set<string>();
  for (const file of files) {
    if (!file.path.startsWith(`${GATEWAY}gateway/`) || isTest(file.path)) continue;
    for (const { specifier } of importsOf(file)) {
      if (!specifier.startsWith('.')) continue;
      const to = unitOf(posix.join(posix.dirname(file.path), specifier));
      if (to !== undefined && to.name !== 'gateway') known.add(to.name);
    }
  }
  if (known.size <= MOST_WIRED) return [];
  const message = `the wiring knows ${known.size} folders, at most ${MOST_WIRED} are meant: ${[...known].sort().join(', ')}`;
  return [{ path: `${GATEWAY}gateway`, message }];
}

function acrossPackages(path: string, specifier: string): string | undefined {
  const own = /^packages\/([^/]+)\//.exec(path)?.[1];
  if (own === undefined || !specifier.startsWith('@sallyport/')) return undefined;
  if (isTest(path) || specifier === `@sallyport/${own}`) return undefined;
  if (PACKAGES[own]?.some((name) => specifier === name || specifier.startsWith(`${name}/`))) return undefined;
  return `package \`${own}\` may not import \`${specifier}\`: the trust boundary is the package boundary`;
}

function insidePackage(from: string, to: string): string | undefined {
  const fromPackage = /^packages\/([^/]+)\//.exec(from)?.[1];
  const toPackage = /^packages\/([^/]+)\//.exec(to)?.[1];
  if (fromPackage !== undefined && toPackage !== fromPackage) {
    return `reach package \`${toPackage}\` by its name, not by a path`;
  }
  if (!from.startsWith(GATEWAY) || !to.startsWith(GATEWAY) || isTest(from)) return undefined;

  const source = unitOf(from);
  const target = unitOf(to);
  if (source === undefined || target === undefined || source.name === target.name) return undefined;
  if (target.rank === undefined)
    return `folder \`${target.name}\` has no place in scripts/checks/boundaries.ts`;
  if (source.rank === undefined)
    return `folder \`${source.name}\` has no place in scripts/checks/boundaries.ts`;
  if (target.rank >= source.rank)
    return `\`${source.name}\` may not import \`${target.name}\`: data flows one way`;
  const isPublic = to === `${GATEWAY}${target.folder}/index.ts` || ALSO_PUBLIC.has(to);
  if (target.name !== 'shared' && !isPublic) {
    return `import \`${target.name}\` through its index.ts`;
  }
  return undefined;
}

/** After every door, which do not know each other. */
const LIST_OF_DOORS = 12.5;

/**
 * The folder that counts: `gate`, `doors/api`, `doors` for the list of them; undefined for the few files at the top, which
 * know everyone.
 */
function unitOf(path: string): { name: string; folder: string; rank: number | undefined } | undefined {
  const [top, second, third] = path.slice(GATEWAY.length).split('/');
  if (top === undefined || second === undefined) return undefined;
  if (top === 'doors' && third === undefined) return { name: top, folder: top, rank: LIST_OF_DOORS };
  const name = top === 'doors' ? `doors/${second}` : top;
  return { name, folder: name, rank: RANK[top] };
}

/** Files that import each other in a ring, each ring once. */
export function findCycles(files: readonly SourceFile[]): Finding[] {
  const graph = new Map<string, string[]>();
  const known = new Set(files.map((file) => file.path));
  for (const file of files) {
    const targets = importsOf(file)
      .filter(({ specifier }) => specifier.startsWith('.'))
      .map(({ specifier }) => posix.join(posix.dirname(file.path), specifier))
      .filter((path) => known.has(path));
    graph.set(file.path, targets);
  }
  return ringsOf(graph).map((ring) => ({
    path: ring[0] ?? '',
    message: `import cycle: ${ring.join(' → ')}`,
  }));
}

/** Rings of a graph, each as a walk that ends where it began. One for each edge that closes a ring. */
function ringsOf(graph: ReadonlyMap<string, readonly string[]>): readonly (readonly string[])[] {
  const rings: (readonly string[])[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const visit = (node: string): void => {
    state.set(node, 'open');
    trail.push(node);
    for (const next of graph.get(node) ?? []) {
      if (state.get(next) === 'open') rings.push([...trail.slice(trail.indexOf(next)), next]);
      else if (!state.has(next)) visit(next);
    }
    trail.pop();
    state.set(node, 'done');
  };
  for (const node of graph.keys()) if (!state.has(node)) visit(node);
  return rings;
}

/** Files that stand above the folder that they lie in: they may know everything below it, and nothing in it knows them. */
const ENTRANCES: ReadonlySet<string> = new Set(['index.ts', 'main.ts']);

/**
 * Folders that need each other in a ring, at any depth, each ring once. The files of a folder count as one, apart from its
 * subfolders and its entrance: `gate` needs `gate/layers`, so nothing in `gate/layers` may need a file of `gate`.
 */
export function findFolderRings(files: readonly SourceFile[]): Finding[] {
  const sources = files.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path) && !isTest(path));
  const known = new Set(sources.map(({ path }) => path));
  const graphs = new Map<string, Map<string, Map<string, string>>>();
  for (const file of sources) {
    for (const { specifier } of importsOf(file)) {
      const to = posix.join(posix.dirname(file.path), specifier);
      if (!specifier.startsWith('.') || !known.has(to)) continue;
      for (const parent of foldersAbove(file.path)) {
        if (!to.startsWith(`${parent}/`)) continue;
        const [source, target] = [partOf(parent, file.path), partOf(parent, to)];
        if (source === target) continue;
        const graph = graphs.get(parent) ?? new Map<string, Map<string, string>>();
        const edges = graph.get(source) ?? new Map<string, string>();
        if (!edges.has(target)) edges.set(target, `${file.path} needs ${to}`);
        graphs.set(parent, graph.set(source, edges));
      }
    }
  }
  return [...graphs].flatMap(([parent, graph]) =>
    ringsOf(new Map([...graph].map(([part, edges]) => [part, [...edges.keys()]]))).map((ring) => ({
      path: parent,
      message: `folders need each other in a ring: ${ring
        .slice(1)
        .map((part, index) => graph.get(ring[index] ?? '')?.get(part))
        .join('; ')}`,
    })),
  );
}

/** `packages/x/src`, and the folders between it and the file. */
function foldersAbove(path: string): readonly string[] {
  const parts = path.split('/').slice(0, -1);
  return parts.slice(2).map((_, index) => parts.slice(0, index + 3).join('/'));
}

/** What a file counts as inside of a folder above it: a subfolder, the entrance, or the folder's own files. */
function partOf(parent: string, path: string): string {
  const [first = '', ...rest] = path.slice(parent.length + 1).split('/');
  if (rest.length > 0) return first;
  return ENTRANCES.has(first) ? first : '.';
}
