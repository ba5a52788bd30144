import { repositoryOfAddress } from '../../shared/git-remotes.ts';
import type { GitEntry } from './git-entries.ts';
import type { GitView } from './git-view.ts';

type KnownView = GitView & { readonly kind: 'known' };

/** What the words of a push leave to the config. */
export interface PushWords {
  /** the name of a remote, or an address */
  readonly destination: string | undefined;
  readonly refspecs: readonly string[];
  /** `--all`, `--tags`, `--mirror`, `--delete`, …: these say themselves which refs they are about */
  readonly saysRefs: boolean;
}

export type PushTarget =
  | {
      readonly kind: 'known';
      /** where it goes, after all rewriting */
      readonly address: string;
      /** `github.com/acme/app`; undefined for what is no repository on a host */
      readonly repository: string | undefined;
      /** each with its name at the other side */
      readonly refspecs: readonly string[];
      /** it may change a file that says what pipelines run */
      readonly pipeline: boolean;
    }
  | { readonly kind: 'unknown'; readonly reason: string };

const unknown = (reason: string): PushTarget => ({ kind: 'unknown', reason });

/** Where a push goes and which refs it moves, by what git would read. */
export function pushTarget(view: KnownView, words: PushWords): PushTarget {
  const trap = trapIn(view.entries);
  if (trap !== undefined) return unknown(trap);
  const address = addressOf(view, words.destination);
  if (typeof address !== 'string') return address;
  const refspecs = words.saysRefs ? words.refspecs : refspecsOf(view, words.refspecs);
  if ('kind' in refspecs) return refspecs;
  const sources = words.saysRefs
    ? ['HEAD']
    : refspecs.map((spec) => spec.replace(/^\+/, '').split(':')[0] ?? '');
  // What is deleted brings nothing.
  const pipeline = sources.some((source) => source !== '' && view.mayChangePipelines(source));
  return { kind: 'known', address, repository: repositoryOfAddress(address), refspecs, pipeline };
}

const ON = /^(?:true|yes|on|1)?$/i;
const LEADS_ELSEWHERE: ReadonlySet<string> = new Set([
  'core.sshcommand',
  'core.gitproxy',
  'core.worktree',
  'extensions.objectformat',
  'http.proxy',
  'http.curloptresolve',
  'extensions.refstorage',
  'push.pushoption',
]);
const OF_REMOTE: ReadonlySet<string> = new Set(['push', 'mirror', 'receivepack', 'vcs', 'proxy']);

/** Why nobody can tell from the config where a push goes, or what it takes along. */
function trapIn(entries: readonly GitEntry[]): string | undefined {
  for (const { section, key, value } of entries) {
    const name = `${section}.${key}`;
    if (section === 'include' || section === 'includeif') return 'the git config includes another file';
    if (LEADS_ELSEWHERE.has(name) || (section === 'remote' && OF_REMOTE.has(key)))
      return `the git config sets \`${name}\`, which changes where a push goes or what it does`;
    if ((name === 'push.followtags' || name === 'submodule.recurse') && ON.test(value))
      return `the git config sets \`${name}\`: a push takes more along than its words say`;
    if (name === 'push.recursesubmodules' && !/^(?:no|false|check)$/i.test(value))
      return 'the git config sets `push.recursesubmodules`: a push takes more along than its words say';
  }
  return undefined;
}

/** The last value of a setting counts. */
function last(entries: readonly GitEntry[], section: string, name: string, key: string): string | undefined {
  return entries.findLast((entry) => entry.section === section && entry.name === name && entry.key === key)
    ?.value;
}

function addressOf({ entries, branch }: KnownView, destination: string | undefined): string | PushTarget {
  const ofBranch = (key: string): string | undefined =>
    branch === undefined ? undefined : last(entries, 'branch', branch, key);
  const names = new Set(entries.filter(({ section }) => section === 'remote').map(({ name }) => name));
  names.delete('');
  const [only] = names.size === 1 ? names : [];
  const remote =
    destination ??
    ofBranch('pushremote') ??
    last(entries, 'remote', '', 'pushdefault') ??
    ofBranch('remote') ??
    only ??
    'origin';
  const values = (key: string): readonly string[] =>
    entries.flatMap((entry) =>
      entry.section === 'remote' && entry.name === remote && entry.key === key ? [entry.value] : [],
    );
  const urls = values('url');
  const pushUrls = values('pushurl');
  // SECURITY: a remote may have an address for its name: what the config says of it counts first.
  if (urls.length + pushUrls.length === 0)
    return isAddress(remote)
      ? rewritten(entries, [remote], [])
      : unknown(`no remote \`${remote}\` is in the git config`);
  return rewritten(entries, urls, pushUrls);
}

function isAddress(word: string): boolean {
  return /[:/\\]/.test(word) || word.startsWith('.') || word.startsWith('~');
}

/** The one address, as `insteadOf` and `pushInsteadOf` change it. */
function rewritten(
  entries: readonly GitEntry[],
  urls: readonly string[],
  pushUrls: readonly string[],
): string | PushTarget {
  const found = new Set(
    pushUrls.length > 0
      ? pushUrls.map((url) => rewrite(entries, 'insteadof', url) ?? url)
      : urls.map(
          (url) => rewrite(entries, 'pushinsteadof', url) ?? rewrite(entries, 'insteadof', url) ?? url,
        ),
  );
  const [only] = found;
  return found.size === 1 && only !== undefined && only !== ''
    ? only
    : unknown('the git config sends a push to more than one address');
}

/** The longest beginning that fits counts. */
function rewrite(entries: readonly GitEntry[], key: string, url: string): string | undefined {
  let best: GitEntry | undefined;
  for (const entry of entries)
    if (
      entry.section === 'url' &&
      entry.key === key &&
      url.startsWith(entry.value) &&
      (best === undefined || entry.value.length > best.value.length)
    )
      best = entry;
  return best === undefined ? undefined : best.name + url.slice(best.value.length);
}

/** Refspecs with the name that each has at the other side. */
function refspecsOf(
  { entries, branch, mayBeTag }: KnownView,
  refspecs: readonly string[],
): readonly string[] | PushTarget {
  const how = (last(entries, 'push', '', 'default') ?? 'simple').toLowerCase();
  const followsUpstream = how === 'upstream' || how === 'tracking';
  const nameThere = (name: string): string => {
    const upstream = entries.filter(
      (entry) => entry.section === 'branch' && entry.name === name && entry.key === 'merge',
    );
    return followsUpstream && upstream.length === 1 ? (upstream[0]?.value ?? '') : `refs/heads/${name}`;
  };
  if (refspecs.length === 0) {
    if (branch === undefined) return unknown('no branch is checked out');
    if (!followsUpstream && how !== 'simple' && how !== 'current')
      return unknown(`\`push.default\` is \`${how}\`: which branches a push moves is not in its words`);
    return [`${branch}:${nameThere(branch)}`];
  }
  const result: string[] = [];
  for (const spec of refspecs) {
    const force = spec.startsWith('+') ? '+' : '';
    const body = spec.slice(force.length);
    const isHead = body === 'HEAD';
    const isSpelled = /:|^(?:refs\/|heads\/|tags\/|remotes\/)/.test(body);
    // What is no plain name is left as it is, and is unknown to whoever reads it.
    const name = isHead ? branch : /^[\w./-]+$/.test(body) ? body : '';
    if (isSpelled || name === '') result.push(spec);
    else if (name === undefined) return unknown('no branch is checked out');
    // Another command of the line can change what is upstream of a branch.
    else if (followsUpstream)
      return unknown('`push.default` gives the branch another name at the other side');
    else if (!isHead && mayBeTag(name)) return unknown(`\`${name}\` may be a tag`);
    else result.push(`${force}${name}:refs/heads/${name}`);
  }
  return result;
}
