import type { ArgumentTarget, JsonObject, NamedArgument, PathFact, Target } from '@sallyport/protocol';
import { assertNever } from '../../shared/assert-never.ts';
import { parseHost } from '../../shared/host.ts';
import { canonicalizePath } from '../paths/index.ts';
import type { ActionContext } from './action-context.ts';
import { quoteArgv, type ReadShell, shellFacts } from './command-facts.ts';
import { type ClassifyHttp, httpTarget } from './http-action.ts';
import { addressesIn, lent, TargetRefusal, textArgument } from './tool-target.ts';
import { requestOf } from './url-request.ts';

interface Call {
  readonly input: JsonObject;
  readonly onlyReads?: boolean;
}

interface Readers {
  readonly classifyHttp: ClassifyHttp;
  readonly readShell: ReadShell;
}

/** Where the arguments lead that a config names for a tool. One that is absent or cannot be read has a problem. */
export function namedArguments(
  wanted: readonly ArgumentTarget[],
  call: Call,
  context: ActionContext,
  readers: Readers,
): readonly NamedArgument[] {
  return wanted.map(({ arg, kind }) => {
    try {
      return { arg, kind, target: targetOf({ arg, kind }, call, context, readers) };
    } catch (error) {
      if (!(error instanceof TargetRefusal)) throw error;
      return { arg, kind, target: { kind: 'plain', problem: error.problem, ...lent(context) } };
    }
  });
}

function targetOf(
  { arg, kind }: ArgumentTarget,
  { input, onlyReads }: Call,
  context: ActionContext,
  readers: Readers,
): Target {
  switch (kind) {
    case 'path': {
      const access = onlyReads === true ? 'read' : 'write';
      const paths = textsIn(input, arg).map((given) => pathFact(given, access, arg, context));
      return { kind: 'path', paths, cwd: context.cwd, ...lent(context) };
    }
    case 'url':
      return urlTarget(textArgument(input, arg), context, readers);
    case 'domain': {
      const host = parseHost(textArgument(input, arg));
      if (host === undefined) throw malformed(`\`${arg}\` must be the name of a host, and nothing else`);
      const text = host.kind === 'ip' && host.family === 6 ? `[${host.text}]` : host.text;
      return urlTarget(`https://${text}/`, context, readers);
    }
    case 'address':
      return { kind: 'address', ...accountsIn(textsIn(input, arg), arg), ...lent(context) };
    case 'command': {
      const value = input[arg];
      const line = Array.isArray(value) ? quoteArgv(textsIn(input, arg)) : textArgument(input, arg);
      const form = Array.isArray(value) ? 'argv' : 'shell';
      // SECURITY: the tool runs it where the tool is, so the agent's jail does not hold it.
      const outside = { ...context, actor: { ...context.actor, confinement: 'unconfined' } } as const;
      return shellFacts(line, form, outside, readers.readShell).target;
    }
    default:
      return assertNever(kind);
  }
}

/** One text, or a list of them that is not empty. */
function textsIn(input: JsonObject, arg: string): readonly string[] {
  const value = input[arg];
  if (!Array.isArray(value)) return [textArgument(input, arg)];
  if (value.length > 0 && value.every((entry): entry is string => typeof entry === 'string' && entry !== ''))
    return value;
  throw malformed(`the argument \`${arg}\` must be text, or a list of texts`);
}

/** SECURITY: where a relative path leads, and what `..` means behind a link, only the tool knows. */
function pathFact(given: string, access: PathFact['access'], arg: string, context: ActionContext): PathFact {
  if (!given.startsWith('/')) throw malformed(`\`${arg}\` must be an absolute path`);
  // The tool does not work in the agent's world: links are those of this machine.
  const { cwd, foldCase } = context;
  const found = canonicalizePath(given, { cwd, foldCase, refuseDots: true });
  if (found.kind === 'problem') throw new TargetRefusal(found.problem);
  return { access, given, real: found.real };
}

function urlTarget(url: string, context: ActionContext, { classifyHttp }: Readers): Target {
  const head = requestOf(url);
  return httpTarget(head, classifyHttp(head), context);
}

const ACCOUNT = /^[\w.+-]+$/;

/** Mail addresses, one each, or the name of one account. */
function accountsIn(
  texts: readonly string[],
  arg: string,
): { account?: string; addresses: readonly string[] } {
  const [only = '', ...others] = texts;
  if (others.length > 0) return { addresses: addressesIn(texts, arg) };
  if (ACCOUNT.test(only)) return { account: only, addresses: [] };
  return { account: only, addresses: addressesIn(only, arg) };
}

function malformed(message: string): TargetRefusal {
  return new TargetRefusal({ code: 'Malformed', message });
}
