import type { RefChange } from '@sallyport/protocol';
import { pathTemplate } from '../../../shared/path-template.ts';
import { type Finding, read, secret, unknown, write } from '../finding.ts';
import { stringMember } from '../request-body.ts';
import type { RequestView } from '../request-view.ts';
import { readPush } from './receive-pack.ts';

/** Where the repository's part of a path ends, as the host lays its paths out. */
export interface GitLayout {
  /** repository as it is named in facts, from the segments before the git part; `undefined`: no repository path */
  readonly repositoryOf: (host: string, segments: readonly string[]) => string | undefined;
}

const ANY_REF: RefChange = { ref: '*', change: 'unknown' };
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
    return read('fetch', 'vcs:read', { object: repository });
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
  const object = layout.repositoryOf(view.host, view.segments.slice(0, -2));
  if (object === undefined) return undefined;
  if (!view.isSafe) return unknown(`${view.method} of info/refs`);
  const services = view.query('service');
  const [service = 'git-upload-pack'] = services;
  if (services.length > 1 || !SERVICES.has(service)) return unknown('git service', 'custom:http', { object });
  return read(service === 'git-upload-pack' ? 'fetch' : 'look before a push', 'vcs:read', { object });
}

function push(view: RequestView, repository: string): Finding {
  const compressed = view.headers('content-encoding').length > 0;
  const { bodyPrefix = new Uint8Array(), bodyComplete } = view.head;
  const result = compressed
    ? { kind: 'push' as const, refs: [ANY_REF], options: [], pipeline: false }
    : readPush(bodyPrefix, bodyComplete);
  if (result.kind === 'probe') return read('look before a push', 'vcs:read', { object: repository });
  const { refs, options, pipeline } = result;
  const onlyDeletes = refs.every((ref) => ref.change === 'delete');
  return write(pushOperation(refs, options), onlyDeletes ? 'vcs:branch' : 'vcs:push', {
    risk: pipeline ? 'critical' : 'high',
    object: `${repository} ${refs
      .map(({ ref }) => ref.replace(/^refs\/heads\//, ''))
      .sort()
      .join(' ')}`,
    repo: {
      ...{ repository, area: 'contents', refs },
      ...(options.length === 0 ? {} : { options }),
      ...(pipeline ? { pipeline } : {}),
    },
  });
}

/** `push`, `push-force`, `delete`, with what the push asks of the server beside the refs. */
export function pushOperation(refs: readonly RefChange[], options: readonly string[]): string {
  const changes = refs.map(({ change }) => CHANGES[change]);
  return [[...new Set(changes)].sort().join(','), ...options.map((option) => `-o ${option}`)].join(' ');
}

// The wire does not say whether an update is forced: one that is not proven counts as forced.
const CHANGES: Readonly<Record<RefChange['change'], string>> = {
  create: 'push',
  update: 'push',
  unknown: 'push-force',
  force: 'push-force',
  delete: 'delete',
};

function largeFiles(view: RequestView, repository: string, rest: string): Finding {
  const object = repository;
  if (view.isSafe) return read(`lfs ${rest}`, 'vcs:read', { object });
  const repo = { repository, area: 'other' as const, refs: [] };
  if (rest !== 'objects/batch' || view.method !== 'POST')
    return write(`lfs ${rest}`, 'vcs:push', { object, repo });
  const operation = stringMember(view.wholeJson(), 'operation');
  if (operation === 'download') return read('lfs batch download', 'vcs:read', { object });
  if (operation === 'upload') return write('lfs batch upload', 'vcs:push', { object, repo });
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
  const name = `${host}/${segments.join('/')}`.toLowerCase();
  return name.endsWith('.git') ? name.slice(0, -'.git'.length) : name;
}

/** Bitbucket: git over HTTP; the API by method. */
export function classifyBitbucket(view: RequestView): Finding | undefined {
  if (view.segments[0] === 'site' && view.segments[1] === 'oauth2') return secret('oauth2');
  if (!view.host.startsWith('api.')) return classifyGit(view, OWNER_AND_NAME);
  const [, owner = '', name = ''] =
    /^\/2\.0\/repositories\/([^/]+)\/([^/]+)\/(?:src|refs|pullrequests\/\d+\/merge)(?:\/|$)/.exec(
      view.path,
    ) ?? [];
  if (view.isSafe || name === '') return undefined;
  // SECURITY: which branch moves stands in a form or in the pull request, and is not looked for: it may be any.
  const repository = repositoryName('bitbucket.org', [owner, name]);
  const repo = { repository, area: 'contents' as const, refs: [ANY_REF] };
  return write(`${view.method} ${pathTemplate(view.path)}`, 'vcs:push', { object: repository, repo });
}

/** Any other server that speaks git over HTTP below paths that end in `.git`. */
export function classifyPlainGit(view: RequestView): Finding | undefined {
  return classifyGit(view, DOT_GIT);
}
