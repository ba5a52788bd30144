import type { HttpTarget, RepositoryFact } from '@sallyport/protocol';
import { escapeGlob } from '../shared/glob.ts';
import { pathTemplate } from '../shared/path-template.ts';
import type { Call, Operation } from './operation.ts';
import { never, none, type TargetDefinition } from './target-definition.ts';

/** A request: the proxy's, or a tool's that names a URL. */
export const httpTarget: TargetDefinition<HttpTarget> = {
  ruledBy: 'request',
  namesNothing: false,
  paths: never,
  namesEveryPath: true,
  namedPaths: never,
  folder: () => '',
  hosts: (target) => ({ named: [{ host: target.host, port: target.port, request: target }], unknown: [] }),
  domains: ({ host }) => [host],
  addresses: never,
  account: none,
  repositories: ({ repo }) => (repo === undefined ? never() : [repo]),
  missing: () => 'DomainNotAllowed',
  pattern: ({ method, host, path }) => `${method} ${host}${escapeGlob(path)}`,
  operations: operationsOfRequest,
  summary: ({ method, host, path }) => `${method} ${host}${path}`,
};

const UNKNOWN = 'unknown: ';
/** What makes a request a write without making it another one: its method and path still say what it is. */
const TELLING = /^a (?:tunnel|protocol upgrade|(?:GET|HEAD|OPTIONS) with a body)$/;

/**
 * As its provider names it; else by method and shape of the path, with what else chooses what it does.
 *
 * SECURITY: what acts on another method or path than it shows (an override, a path that servers read differently) has no
 * name: a yes to one of them is a yes to nothing else [GA-11].
 */
function operationsOfRequest(target: HttpTarget, { effect }: Call): readonly Operation[] {
  const { provider, operation, object, host, port, method, path, repo } = target;
  const at = host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
  const shape = `${method} ${pathTemplate(path)}`;
  if (operation?.startsWith(UNKNOWN) === true) {
    const why = operation.slice(UNKNOWN.length);
    if (why === shape || why.startsWith(`${shape} `))
      return [{ operation: why, object: object ?? at + fixedPart(path), at, unlisted: true }];
    return TELLING.test(why)
      ? [{ operation: `${why}: ${shape}`, object: object ?? at + fixedPart(path), at }]
      : never();
  }
  if (provider !== undefined && operation !== undefined)
    return [
      {
        operation: `${provider}:${operation}`,
        // A path of an operation that is known says which one; of a read, the host is enough.
        object: withRefs(object ?? (effect === 'read' ? at : at + path), repo),
        at,
      },
    ];
  if (effect === 'read') return [{ operation: 'read', object: at, at }];
  const chosen = operation === undefined ? shape : `${shape} ${operation}`;
  return [{ operation: chosen, object: at + fixedPart(path), at }];
}

/** Segments from the first to the last before one that only says which. */
function fixedPart(path: string): string {
  const template = pathTemplate(path);
  const first = template.search(/\/[^/]*\{\}/);
  return first === -1 ? template : template.slice(0, first);
}

/** The branches are part of what a change is done to, where the classifier has not named them. */
function withRefs(object: string, repo: RepositoryFact | undefined): string {
  const refs = repo?.refs.map(({ ref }) => ref.replace(/^refs\/heads\//, '')) ?? [];
  const missing = refs.filter((ref) => !object.split(' ').includes(ref)).sort();
  return [object, ...missing].join(' ');
}
