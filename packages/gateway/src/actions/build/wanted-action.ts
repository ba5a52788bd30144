import type { Action, Actor } from '@sallyport/protocol';
import { operationsOf } from '../../targets/index.ts';
import { callFacts } from '../../tools/index.ts';
import type { HttpRequestHead } from '../http/index.ts';
import { SAMPLES, type SampleRequest } from '../http/index.ts';
import type { ActionBuilder } from './action-builder.ts';
import { TargetRefusal } from './tool-target.ts';
import { requestOf } from './url-request.ts';

/** What an agent wants to do later, as questions name it. */
export interface Wanted {
  readonly operation: string;
  readonly object: string;
}

export interface WantedParts {
  readonly builder: ActionBuilder;
  readonly actor: Actor;
  /** what would be lent with a request */
  readonly credentialFor: (host: string, port: number, path: string) => string | undefined;
  readonly onlyReads: (tool: string) => boolean;
}

/**
 * The action that a door would make of it, in its smallest form: judged, it says what would become of the real one.
 *
 * SECURITY: whatever was tried to make it, it does this one operation on this one object and nothing else, as the same code
 * reads it that reads the real one. undefined: only the real one can be asked about [GA-17].
 */
export function wantedAction(wanted: Wanted, parts: WantedParts): Action | undefined {
  for (const make of ways(wanted, parts)) {
    const action = attempt(make);
    if (action === undefined || action.target.problem !== undefined) continue;
    const [only, ...more] = operationsOf(action);
    if (only === undefined || more.length > 0 || only.operation !== wanted.operation) continue;
    const short = only.at?.endsWith(':443') === true ? only.object.replace(':443', '') : only.object;
    if (wanted.object === only.object || wanted.object === short) return action;
  }
  return undefined;
}

function attempt(make: () => Action): Action | undefined {
  try {
    return make();
  } catch (error) {
    if (error instanceof TargetRefusal) return undefined;
    throw error;
  }
}

function* ways(wanted: Wanted, parts: WantedParts): Iterable<() => Action> {
  const { operation, object } = wanted;
  const path = /^[A-Z]+ (\/\S*)$/.exec(operation)?.[1];
  const provider = /^([a-z][a-z0-9-]*):(.+)$/.exec(operation);
  if (operation === 'read') yield () => request(parts, { method: 'GET', place: object, target: '/' });
  else if (path !== undefined) {
    const [method = ''] = operation.split(' ');
    yield () => request(parts, { method, place: object, target: path.replaceAll('{}', '1') });
  } else if (provider?.[1] !== undefined && provider[1] !== 'mcp') {
    const sample = SAMPLES[provider[1]]?.requestOf(provider[2] ?? '', object);
    if (sample !== undefined) yield () => sampled(parts, sample);
  } else if (/^(?:mcp:|[A-Z]|[a-z]+\.)/.test(operation)) yield () => toolCall(parts, wanted);
  else yield* commandLines(parts, wanted);
}

function request(
  parts: WantedParts,
  { method, place, target }: { readonly method: string; readonly place: string; readonly target: string },
): Action {
  const [host = ''] = place.split('/');
  const scheme = host.endsWith(':80') ? 'http' : 'https';
  return build(parts, { ...requestOf(`${scheme}://${host}${target}`), method });
}

function sampled(parts: WantedParts, { host, method, target, body }: SampleRequest): Action {
  const head = { ...requestOf(`https://${host}${target}`), method };
  if (body === undefined) return build(parts, head);
  const bodyPrefix = new TextEncoder().encode(body);
  return build(parts, { ...head, headers: [['Content-Type', 'application/json']], bodyPrefix });
}

function build({ builder, actor, credentialFor }: WantedParts, head: HttpRequestHead): Action {
  const credential = credentialFor(head.host, head.port, head.target);
  const lent = credential === undefined ? {} : { credential };
  return builder.http(head, {}, { door: 'proxy', actor, cwd: '/', home: '/', ...lent }).action;
}

/** A tool by its name, on what its one argument names. Tools of the client itself are judged at its hook. */
function toolCall({ builder, actor, onlyReads }: WantedParts, { operation: tool, object }: Wanted): Action {
  const argument = callFacts(tool)?.target;
  const named =
    argument?.kind === 'path' ? argument.arg : argument?.kind === 'address' ? argument.to[0] : undefined;
  const call = { tool, input: named === undefined ? {} : { [named]: object }, onlyReads: onlyReads(tool) };
  return /^[A-Z]/.test(tool)
    ? builder.tool({ ...call, client: 'claude-code' }, { door: 'hook', actor, cwd: '/', home: '/' })
    : builder.tool(call, { door: 'mcp', actor, cwd: '/', home: '/' });
}

/** `npm publish` on `npm publish --tag next in /work`: the object has all of its words, or those that its parser found. */
function* commandLines(
  { builder, actor }: WantedParts,
  { operation, object }: Wanted,
): Iterable<() => Action> {
  const border = object.lastIndexOf(' in /');
  const words = border === -1 ? object : object.slice(0, border);
  const cwd = border === -1 ? '/' : object.slice(border + ' in '.length);
  const [repository = '', ...refs] = words.split(' ');
  for (const command of [
    words,
    `${operation} ${words}`,
    `${operation} https://${repository} ${refs.join(' ')}`,
    operation,
  ])
    yield () =>
      builder.tool(
        { tool: 'Bash', client: 'claude-code', input: { command } },
        { door: 'hook', actor, cwd, home: '/' },
      );
}
