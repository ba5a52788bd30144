import { type Finding, read, unknown, write } from '../finding.ts';
import { stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';
import { readPush } from './receive-pack.ts';

/** Where the repository's part of a path ends, as the host lays its paths out. */
export interface GitLayout {
  /** repository as it is named in facts, from the segments before the git part; `undefined`: no repository path */
  readonly repositoryOf: (host: string, segments: readonly string[]) => string | undefined;
}

const SERVICES = new Set(['git-upload-pack', 'git-receive-pack']);

/**
 * Classifies git over HTTP: ref advertisements and fetches read, pushes write with the refs that they change,
 * large-file batches by their operation. `undefined`: the request is not git's.
 */
export function classifyGit(view: RequestView, layout: GitLayout): Finding | undefined {
  const { segments } = view;
  const last = segments.at(-1);
  if (last === 'refs' && segments.at(-2) === 'info') return advertisement(view, layout);
  if (last === 'git-upload-pack' || last === 'git-receive-pack' || last === 'git-upload-archive') {
    const repository = layout.repositoryOf(view.host, segments.slice(0, -1));
    if (repository === undefined) return undefined;
    if (view.method !== 'POST') return unknown(`${view.method} of ${last}`);
    if (last === 'git-receive-pack') return push(view, repository);
    return read(last, 'vcs:read');
  }
  const lfs = segments.lastIndexOf('lfs');
  if (lfs > 1 && segments[lfs - 1] === 'info') {
    const repository = layout.repositoryOf(view.host, segments.slice(0, lfs - 1));
    return repository === undefined
      ? undefined
      : largeFiles(view, repository, segments.slice(lfs + 1).join('/'));
  }
  return undefined;
}

function advertisement(view: RequestView, layout: GitLayout): Finding | undefined {
  if (layout.repositoryOf(view.host, view.segments.slice(0, -2)) === undefined) return undefined;
  if (!view.isSafe) return unknown(`${view.method} of info/refs`);
  const services = view.query('service');
  const known = services.length === 0 || (services.length === 1 && SERVICES.has(services[0] ?? ''));
  return known ? read(`info/refs ${services[0] ?? 'dumb'}`, 'vcs:read') : unknown('git service');
}

function push(view: RequestView, repository: string): Finding {
  const compressed = view.headers('content-encoding').length > 0;
  const { bodyPrefix = new Uint8Array(), bodyComplete } = view.head;
  const result = compressed
    ? { kind: 'push' as const, refs: [{ ref: '*', change: 'unknown' as const }], options: [] }
    : readPush(bodyPrefix, bodyComplete);
  if (result.kind === 'probe') return read('git-receive-pack probe', 'vcs:read');
  const { refs, options } = result;
  const onlyDeletes = refs.every((ref) => ref.change === 'delete');
  return write('git-receive-pack', onlyDeletes ? 'vcs:branch' : 'vcs:push', {
    risk: 'high',
    repo: { repository, area: 'contents', refs, ...(options.length === 0 ? {} : { options }) },
  });
}

function largeFiles(view: RequestView, repository: string, rest: string): Finding {
  if (view.isSafe) return read(`lfs ${rest}`, 'vcs:read');
  const repo = { repository, area: 'other' as const, refs: [] };
  if (rest !== 'objects/batch' || view.method !== 'POST') return write(`lfs ${rest}`, 'vcs:push', { repo });
  const operation = stringMember(view.wholeJson(), 'operation');
  if (operation === 'download') return read('lfs batch download', 'vcs:read');
  if (operation === 'upload') return write('lfs batch upload', 'vcs:push', { repo });
  return unknown('lfs batch operation', 'vcs:push', { repo });
}

/** `host/owner/name`: exactly two segments, as on GitHub and Bitbucket; `.git` and letter case do not matter. */
export const OWNER_AND_NAME: GitLayout = {
  repositoryOf: (host, segments) => {
    const [owner, name] = segments;
    if (segments.length !== 2 || owner === undefined || name === undefined) return undefined;
    return repositoryName(host, [owner, name]);
  },
};

/** Any depth, the last segment ends in `.git`: hosts whose other paths could end in a git service's name. */
export const DOT_GIT: GitLayout = {
  repositoryOf: (host, segments) =>
    segments.at(-1)?.endsWith('.git') === true ? repositoryName(host, segments) : undefined,
};

/** One spelling for each repository: lower case, no `.git`. */
export function repositoryName(host: string, segments: readonly string[]): string {
  return `${host}/${segments.join('/')}`.toLowerCase().replace(/\.git$/, '');
}
