import { posix } from 'node:path';
import { type Finding, importsOf, isTest, type SourceFile } from './source-files.ts';

/**
 * The flow of the picture in docs/architecture.md, as numbers: a folder of `gateway/src` imports only from
 * folders with a smaller number, and from those only their `index.ts`. Equal numbers do not know each other.
 */
const RANK: Readonly<Record<string, number>> = {
  shared: 0,
  tools: 0.5,
  config: 1,
  store: 1,
  audit: 2,
  coordination: 2,
  identity: 3,
  credentials: 4,
  egress: 5,
  sandbox: 5,
  executors: 6,
  trust: 6,
  approvals: 7,
  gate: 8,
  actions: 9,
  rehearsal: 10,
  calls: 10,
  agents: 10,
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
const ALSO_PUBLIC: ReadonlySet<string> = new Set([
  `${GATEWAY}executors/http/index.ts`,
  `${GATEWAY}doors/proxy/authority/index.ts`,
]);

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
  const findings: Finding[] = [];
  const state = new Map<string, 'open' | 'done'>();
  const trail: string[] = [];
  const visit = (path: string): void => {
    state.set(path, 'open');
    trail.push(path);
    for (const next of graph.get(path) ?? []) {
      if (state.get(next) === 'open') {
        const ring = [...trail.slice(trail.indexOf(next)), next];
        findings.push({ path: next, message: `import cycle: ${ring.join(' → ')}` });
      } else if (!state.has(next)) visit(next);
    }
    trail.pop();
    state.set(path, 'done');
  };
  for (const path of graph.keys()) if (!state.has(path)) visit(path);
  return findings;
}
