/** One entry of a list of hosts (`lists/known.yaml`): a host, and what of it is meant. */
export interface ListedHost {
  /** `example.com` or `*.example.com` */
  readonly host: string;
  /** GET and HEAD alone */
  readonly readsOnly?: true;
  /** these paths and what lies below them; absent: all */
  readonly paths?: readonly string[];
}

/** The lists that a policy names: `@known` is `known`. A text stands for a host with everything on it. */
export type HostLists = ReadonlyMap<string, readonly (string | ListedHost)[]>;

export function hostOfEntry(entry: string | ListedHost): string {
  return typeof entry === 'string' ? entry : entry.host;
}

/** What of a request an entry looks at. */
export interface ListedRequest {
  readonly scheme: string;
  readonly method: string;
  /** canonical, without its query */
  readonly path: string;
}

/**
 * Whether an entry means this request, once the host is the same. `maybe`: nobody knows which request it is, or it is a
 * tunnel, which may carry any of them.
 */
export function entryMeans(entry: ListedHost, request: ListedRequest | undefined): 'yes' | 'no' | 'maybe' {
  const { readsOnly, paths } = entry;
  // A command whose request is not known: whether it reads is for other layers to say.
  if (request === undefined) return paths === undefined ? 'yes' : 'maybe';
  if (request.scheme === 'tunnel') return 'maybe';
  if (readsOnly === true && request.method !== 'GET' && request.method !== 'HEAD') return 'no';
  if (paths === undefined) return 'yes';
  return paths.some((path) => isBelow(request.path, path)) ? 'yes' : 'no';
}

function isBelow(path: string, folder: string): boolean {
  if (!path.startsWith(folder)) return false;
  return path.length === folder.length || folder.endsWith('/') || path[folder.length] === '/';
}
