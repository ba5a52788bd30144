import {
  type Action,
  CONNECT,
  type CommandFact,
  factsOfDoor,
  type Opinion,
  type RepositoryFact,
} from '@sallyport/protocol';
import type { Glob } from '../../shared/glob.ts';
import { ALL_TAGS, foldedRef, refProblem } from '../../shared/ref-name.ts';
import { visibleLine } from '../../shared/visible-text.ts';
import { factsOf, lineOf, requestOf } from '../../targets/index.ts';
import { isAccess } from '../grants/access.ts';
import type { CompiledPolicy, ModeException } from '../policy/compiled-policy.ts';
import { judgeList } from '../rules/judge-list.ts';
import { stricterOf } from '../rules/strictness.ts';
import { ask, type Layer, silent } from './layer.ts';
import { judgeMachine } from './machine.ts';
import { coversRepository, whyUncovered } from './repository-exception.ts';

const SILENT = silent('mode');
const NONE: readonly string[] = [];
const BRANCH = 'refs/heads/';

/**
 * Layer 8: a write beyond the workspace that no exception covers; what reads secrets or destroys without a jail; and what
 * is asked each time, whatever the mode.
 */
export const modeLayer: Layer = (action, snapshot) => {
  const { policy, identity } = snapshot;
  const { target, door } = action;
  const workspace = identity.kind === 'session' ? (identity.repositories ?? NONE) : NONE;
  // SECURITY: who is let in is a person's word each time: no rule, grant or model says it [AP-7].
  if (action.type === CONNECT.type)
    return ask('mode', 'each-time', 'a program asks for a session of its own');
  // SECURITY: what an agent wants beforehand is people's to give, whatever the rules allow [GA-17].
  if (isAccess(action)) return ask('mode', 'human', 'the agent asks for a whole task beforehand');
  if (target.credential !== undefined && policy.criticalCredentials.has(target.credential))
    return ask('mode', 'each-time', `the credential \`${target.credential}\` is marked \`risk: critical\``);
  if (policy.quorumTypes.size > 0) {
    const quorum = quorumType(policy, action);
    if (quorum !== undefined) return ask('mode', 'each-time', `\`${quorum}\` is decided by several people`);
  }
  let result = factsOfDoor(door).selfDeclared
    ? ask('mode', 'human', 'what an API client declares is always asked')
    : judgeMachine(action, snapshot, (fact) => isException(policy, action, fact));
  let judged = false;
  const line = lineOf(target);
  if (line !== undefined) {
    for (const fact of line.commands) {
      // SECURITY: what its operation does not show is a person's to answer, whatever is known of the rest [SS-4].
      if (fact.trap !== undefined) result = stricterOf(result, ask('mode', 'each-time', fact.trap));
      if (fact.reach !== 'remote') continue;
      // What reads elsewhere beside what writes here (`git fetch && git commit`) writes nothing elsewhere.
      judged = true;
      if (fact.effect === 'write')
        result = stricterOf(result, judgeWrite(policy, action, workspace, fact, fact.repo));
    }
    // SECURITY: a line that is a remote write as a whole is one, also where no command of it shows why.
    if (line.unknown !== undefined) judged = false;
  }
  if (judged || action.effect !== 'write' || action.reach !== 'remote') return result;
  return stricterOf(result, judgeWrite(policy, action, workspace, undefined, requestOf(target)?.repo));
};

function quorumType(policy: CompiledPolicy, { type, target }: Action): string | undefined {
  if (policy.quorumTypes.has(type)) return type;
  return lineOf(target)?.commands.find((fact) => policy.quorumTypes.has(fact.type))?.type;
}

/** Whether a selector among the exceptions covers what is done on this machine. */
function isException(policy: CompiledPolicy, action: Action, fact: CommandFact | undefined): boolean {
  const { mode } = policy;
  return mode.mode !== 'strict' && mode.selectors.rules.length > 0 && selectorCovers(policy, action, fact);
}

/** One remote write: the action itself, or one command of its line. */
function judgeWrite(
  policy: CompiledPolicy,
  action: Action,
  workspace: readonly string[],
  fact: CommandFact | undefined,
  repo: RepositoryFact | undefined,
): Opinion {
  const { mode } = policy;
  if (repo !== undefined) {
    const always = eachTime(mode.protected, repo);
    if (always !== undefined) return always;
  }
  if (mode.mode === 'strict') return ask('mode', 'human', 'a remote write asks in mode `strict`');
  for (const exception of mode.exceptions)
    if (covers(exception, policy, action, workspace, fact, repo)) return SILENT;
  if (mode.selectors.rules.length > 0 && selectorCovers(policy, action, fact)) return SILENT;
  // SECURITY: a port of this machine is a way past everything that knows what a request does.
  if (isForward(action)) return ask('mode', 'each-time', 'a connection to a port of this machine');
  return ask('mode', 'human', whyUncovered(mode, workspace, repo));
}

/** `sallyport run --forward`. */
function isForward({ target }: Action): boolean {
  return requestOf(target)?.forward === true;
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
  workspace: readonly string[],
  fact: CommandFact | undefined,
  repo: RepositoryFact | undefined,
): boolean {
  if (fact?.unknown !== undefined) return false;
  const http = fact === undefined ? requestOf(action.target) : undefined;
  if (exception.kind === 'repository')
    return coversRepository(exception, policy, action, { http, repo, workspace });
  if (http === undefined || http.provider !== exception.provider) return false;
  if (exception.methods !== undefined && !exception.methods.has(http.method)) return false;
  if (exception.paths !== undefined && !exception.paths.some((path) => path.matches(http.path))) return false;
  return exception.operation === undefined || exception.operation === http.operation;
}

/** A selector covers like an `allow` rule, and never what cannot be known. */
function selectorCovers({ mode }: CompiledPolicy, action: Action, fact: CommandFact | undefined): boolean {
  const { target, tool } = action;
  const facts = factsOf(target);
  if (fact === undefined)
    return lineOf(target) === undefined && judgeList(mode.selectors, action)?.says === 'allow';
  const folder = facts.folder(target);
  return fact.unknown === undefined && mode.selectors.firstForCommand(tool, fact, folder) !== undefined;
}
