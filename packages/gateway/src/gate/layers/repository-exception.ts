import type { Action, RepositoryFact } from '@sallyport/protocol';
import { compileGlob, escapeGlob, type Glob } from '../../shared/glob.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import type { RequestFact } from '../../targets/index.ts';
import type { CompiledPolicy, RepositoryException } from '../policy/compiled-policy.ts';

const BRANCH = 'refs/heads/';

/** One write to a repository, with what its session knows. */
interface RepositoryWrite {
  readonly http: RequestFact | undefined;
  readonly repo: RepositoryFact | undefined;
  /** what the remotes of the workspace named before the agent started */
  readonly workspace: readonly string[];
}

/** Whether an exception for repositories is about this write. */
export function coversRepository(
  exception: RepositoryException,
  policy: CompiledPolicy,
  action: Action,
  { http, repo, workspace }: RepositoryWrite,
): boolean {
  if (repo === undefined || repo.area !== exception.area) return false;
  // SECURITY: who writes a pipeline runs what he likes with the secrets of the repository [GA-15].
  if (repo.pipeline === true) return false;
  return (
    speaks(exception, policy, http, repo) &&
    holdsFor(exception, repo, workspace) &&
    ownsBranches(policy, action, repo)
  );
}

/**
 * SECURITY: an exception is for the repositories that it was given for: those that it names, or else those that the
 * workspace named as its remotes before the agent started. Starting a pipeline is only for those that it names [GA-15].
 */
function holdsFor(
  { area, repositories }: RepositoryException,
  { repository }: RepositoryFact,
  workspace: readonly string[],
): boolean {
  if (repository === undefined) return false;
  if (repositories === undefined) return area !== 'actions' && workspace.includes(repository);
  return (
    repositories.has(repository) || repositories.has(`${repository.slice(0, repository.lastIndexOf('/'))}/*`)
  );
}

function speaks(
  { provider }: RepositoryException,
  { gitHosts }: CompiledPolicy,
  http: RequestFact | undefined,
  { repository }: RepositoryFact,
): boolean {
  if (http?.provider !== undefined) return http.provider === provider;
  const host = repository?.slice(0, repository.indexOf('/'));
  return host !== undefined && gitHosts[provider].has(host);
}

/** Every branch is one that the patterns give to this user or agent: what changes, or what others are asked to take. */
function ownsBranches(
  { mode }: CompiledPolicy,
  { actor }: Action,
  { area, head, refs }: RepositoryFact,
): boolean {
  // Talk changes no branch; what changes contents and names none may change any.
  if (area === 'collaboration' ? refs.length > 0 : refs.length === 0) return false;
  const owned = mode.owned.flatMap((pattern) => fillIn(pattern, actor.user, actor.agent) ?? []);
  return [...refs.map(({ ref }) => ref), ...(head === undefined ? [] : [head])].every(
    (ref) => ref.startsWith(BRANCH) && owned.some((pattern) => pattern.matches(ref.slice(BRANCH.length))),
  );
}

/** A pattern whose placeholder has no value owns nothing. */
function fillIn(pattern: string, user: string | undefined, agent: string | undefined): Glob | undefined {
  if (pattern.includes('{user}') && (user ?? '') === '') return undefined;
  if (pattern.includes('{agent}') && (agent ?? '') === '') return undefined;
  // SECURITY: escaped, so that a name is never read as a pattern.
  const text = pattern
    .replaceAll('{user}', () => escapeGlob(user ?? ''))
    .replaceAll('{agent}', () => escapeGlob(agent ?? ''));
  return compileGlob(text, 'command');
}

/** What a person should know about a write that no exception covers. */
export function whyUncovered(
  { exceptions }: CompiledPolicy['mode'],
  workspace: readonly string[],
  repo: RepositoryFact | undefined,
): string {
  if (repo?.pipeline === true) return 'it changes, or may change, a file that says what pipelines run';
  if (repo === undefined || !exceptions.some(({ kind }) => kind === 'repository'))
    return 'a remote write that no exception covers';
  if (repo.area === 'actions') return 'it starts a pipeline';
  const isBound = repo.area === 'contents' || repo.area === 'collaboration';
  if (!isBound || (repo.repository !== undefined && workspace.includes(repo.repository)))
    return 'a remote write that no exception covers';
  return repo.repository === undefined
    ? 'which repository changes cannot be known'
    : `\`${visibleLine(repo.repository)}\` is no remote of this workspace, and no exception names it`;
}
