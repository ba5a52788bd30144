import {
  type Action,
  CONNECT,
  type CommandFact,
  factsOfDoor,
  type HttpTarget,
  type Opinion,
  type RepositoryFact,
} from '@sallyport/protocol';
import { compileGlob, escapeGlob, type Glob } from '../../shared/glob.ts';
import { ALL_TAGS, foldedRef, refProblem } from '../../shared/ref-name.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import type { CompiledPolicy, ModeException } from '../compiled-policy.ts';
import { judgeList } from '../rules/judge-list.ts';
import { ask, type Layer, silent } from './layer.ts';
import { stricterOf } from './strictness.ts';

const SILENT = silent('mode');
const BRANCH = 'refs/heads/';

/** Layer 8: a remote write that no exception covers; and what is asked each time, whatever the mode. */
export const modeLayer: Layer = (action, { policy }) => {
  const { target, door } = action;
  // SECURITY: who is let in is a person's word each time: no rule, grant or model says it [AP-7].
  if (action.type === CONNECT.type)
    return ask('mode', 'each-time', 'a program asks for a session of its own');
  if (target.credential !== undefined && policy.criticalCredentials.has(target.credential))
    return ask('mode', 'each-time', `the credential \`${target.credential}\` is marked \`risk: critical\``);
  if (policy.quorumTypes.size > 0) {
    const quorum = quorumType(policy, action);
    if (quorum !== undefined) return ask('mode', 'each-time', `\`${quorum}\` is decided by several people`);
  }
  let result = factsOfDoor(door).selfDeclared
    ? ask('mode', 'human', 'what an API client declares is always asked')
    : SILENT;
  let judged = false;
  if (target.kind === 'command') {
    for (const fact of target.commands) {
      if (fact.effect !== 'write' || fact.reach !== 'remote') continue;
      judged = true;
      result = stricterOf(result, judgeWrite(policy, action, fact, fact.repo));
    }
    // SECURITY: a line that is a remote write as a whole is one, also where no command of it shows why.
    if (target.unknown !== undefined) judged = false;
  }
  if (judged || action.effect !== 'write' || action.reach !== 'remote') return result;
  const repo = target.kind === 'http' ? target.repo : undefined;
  return stricterOf(result, judgeWrite(policy, action, undefined, repo));
};

function quorumType(policy: CompiledPolicy, { type, target }: Action): string | undefined {
  if (policy.quorumTypes.has(type)) return type;
  if (target.kind !== 'command') return undefined;
  return target.commands.find((fact) => policy.quorumTypes.has(fact.type))?.type;
}

/** One remote write: the action itself, or one command of its line. */
function judgeWrite(
  policy: CompiledPolicy,
  action: Action,
  fact: CommandFact | undefined,
  repo: RepositoryFact | undefined,
): Opinion {
  const { mode } = policy;
  if (repo !== undefined) {
    const always = eachTime(mode.protected, repo);
    if (always !== undefined) return always;
  }
  if (mode.mode === 'strict') return ask('mode', 'human', 'a remote write asks in mode `strict`');
  for (const exception of mode.exceptions) if (covers(exception, policy, action, fact, repo)) return SILENT;
  if (mode.selectors.rules.length > 0 && selectorCovers(policy, action, fact)) return SILENT;
  // SECURITY: a port of this machine is a way past everything that knows what a request does.
  if (isForward(action)) return ask('mode', 'each-time', 'a connection to a port of this machine');
  return ask('mode', 'human', 'a remote write that no exception covers');
}

/** `sallyport run --forward`. */
function isForward({ target }: Action): boolean {
  return target.kind === 'http' && target.forward === true;
}

/** Changes that no grant answers: they cannot be taken back, or hit what others build on. */
function eachTime(protectedBranches: readonly Glob[], repo: RepositoryFact): Opinion | undefined {
  const [option] = repo.options ?? [];
  // SECURITY: an option can merge into another branch, or set what a pipeline runs with [NE-13].
  if (option !== undefined)
    return ask('mode', 'each-time', `the push carries options: \`${visibleLine(option)}\``);
  for (const { ref, change } of repo.refs) {
    const shown = visibleLine(ref);
    if (change === 'force') return ask('mode', 'each-time', `\`${shown}\` is overwritten by force`);
    if (change === 'delete') return ask('mode', 'each-time', `\`${shown}\` is deleted`);
    // SECURITY: what cannot be known may be a force-push or a protected branch.
    if (change === 'unknown' || ref === '*')
      return ask('mode', 'each-time', 'which branches change, and how, cannot be known');
    const problem = ref === ALL_TAGS ? undefined : refProblem(ref);
    if (problem !== undefined)
      return ask('mode', 'each-time', `\`${shown}\` is no plain name of a ref: ${problem}`);
    const branch = ref.startsWith(BRANCH) ? ref.slice(BRANCH.length) : ref;
    const folded = foldedRef(branch);
    if (protectedBranches.some((pattern) => pattern.matches(folded)))
      return ask('mode', 'each-time', `\`${branch}\` is a protected branch`);
  }
  return undefined;
}

function covers(
  exception: ModeException,
  policy: CompiledPolicy,
  action: Action,
  fact: CommandFact | undefined,
  repo: RepositoryFact | undefined,
): boolean {
  if (fact?.unknown !== undefined) return false;
  const http = fact === undefined && action.target.kind === 'http' ? action.target : undefined;
  if (exception.kind === 'github') {
    if (repo === undefined || repo.area !== exception.area || repo.refs.length === 0) return false;
    return isGithub(policy, http, repo) && ownsAll(policy, action, repo);
  }
  if (http === undefined || http.provider !== exception.provider) return false;
  if (exception.methods !== undefined && !exception.methods.has(http.method)) return false;
  if (exception.paths !== undefined && !exception.paths.some((path) => path.matches(http.path))) return false;
  return exception.operation === undefined || exception.operation === http.operation;
}

function isGithub(policy: CompiledPolicy, http: HttpTarget | undefined, repo: RepositoryFact): boolean {
  if (http?.provider === 'github') return true;
  const host = repo.repository?.slice(0, repo.repository.indexOf('/'));
  return host === 'github.com' || (host !== undefined && policy.githubHosts.has(host));
}

/** Every ref is a branch that the patterns give to this user or agent. */
function ownsAll({ mode }: CompiledPolicy, { actor }: Action, repo: RepositoryFact): boolean {
  const owned = mode.owned.flatMap((pattern) => fillIn(pattern, actor.user, actor.agent) ?? []);
  return repo.refs.every(
    ({ ref }) => ref.startsWith(BRANCH) && owned.some((pattern) => pattern.matches(ref.slice(BRANCH.length))),
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

/** A selector covers like an `allow` rule, and never what cannot be known. */
function selectorCovers({ mode }: CompiledPolicy, action: Action, fact: CommandFact | undefined): boolean {
  const { target, tool } = action;
  if (fact === undefined || target.kind !== 'command')
    return target.kind !== 'command' && judgeList(mode.selectors, action)?.says === 'allow';
  return fact.unknown === undefined && mode.selectors.firstForCommand(tool, fact, target.cwd) !== undefined;
}
