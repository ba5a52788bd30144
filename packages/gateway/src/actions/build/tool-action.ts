import {
  type Action,
  type Actor,
  type ArgumentTarget,
  factsOfDoor,
  type HttpTarget,
  type JsonObject,
  type Target,
} from '@sallyport/protocol';
import { canonicalJson, NoJsonForm } from '../../shared/canonical-json.ts';
import { canonicalToolName } from '../../shared/tool-name.ts';
import { visibleText } from '../../shared/visible-text.ts';
import { type CallFacts, callFacts, type TargetArgument } from '../../tools/index.ts';
import { NOTHING, placePaths } from '../places/index.ts';
import { riskOf } from '../risk.ts';
import { type Client, clientTool } from '../tools/client-tools.ts';
import type { ActionContext } from './action-context.ts';
import { argumentList, type Facts, quoteArgv, type ReadShell, shellFacts } from './command-facts.ts';
import { type ActionDraft, finishAction } from './finish-action.ts';
import { type ClassifyHttp, httpTarget } from './http-action.ts';
import { namedArguments } from './named-arguments.ts';
import {
  addressTarget,
  globTarget,
  lent,
  oneArgument,
  patchTarget,
  pathTarget,
  TargetRefusal,
  textArgument,
} from './tool-target.ts';
import { requestOf } from './url-request.ts';

/** A tool call as it came in. */
export interface ToolCall {
  /** which client's names these are; absent: the names that rules use */
  readonly client?: Client;
  readonly tool: string;
  readonly input: JsonObject;
  /** the operator says of this tool, which nobody else describes, that it only reads */
  readonly onlyReads?: boolean;
}

export interface ToolParts {
  readonly classifyHttp: ClassifyHttp;
  readonly readShell: ReadShell;
  /** arguments of a tool that the config names for the agents of an actor */
  readonly targetsOf: (actor: Actor, tool: string) => readonly ArgumentTarget[];
}

/** The action of one tool call. Never throws for what an agent sent: what cannot be read becomes a problem. */
export function buildToolAction(call: ToolCall, context: ActionContext, parts: ToolParts): Action {
  const alias = call.client === undefined ? undefined : clientTool(call.client, call.tool);
  const tool = alias?.tool ?? canonicalToolName(call.tool);
  const definition = callFacts(tool);
  const whole = tool.isWellFormed()
    ? wholeText(call.input)
    : { problem: 'the name of the tool is not valid Unicode' };
  if ('problem' in whole) return brokenText(tool, call.input, whole.problem, context);
  const argument = alias?.target ?? definition?.target;
  const read =
    definition === undefined && call.onlyReads === true
      ? readingTool(tool, context)
      : factsOf(tool, definition, argument, call.input, context, parts);
  const facts = withNamed(placed(read, context), parts.targetsOf(context.actor, tool), call, context, parts);
  const preview = previewOf(tool, call.input, facts.target);
  const draft = draftOf(tool, call.input, preview, facts, context);
  return finishAction(draft, undefined, { input: whole.text, ...withoutComments(call.input, definition) });
}

/** SECURITY: a table says what is a comment; it is shown and recorded, and an approval is bound to it all the same. */
function withoutComments(input: JsonObject, definition: CallFacts | undefined): { asked?: () => string } {
  const { comments = [] } = definition ?? {};
  if (!comments.some((name) => Object.hasOwn(input, name))) return {};
  return {
    asked: () =>
      canonicalJson(Object.fromEntries(Object.entries(input).filter(([name]) => !comments.includes(name)))),
  };
}

function withNamed(
  facts: Facts,
  wanted: readonly ArgumentTarget[],
  call: ToolCall,
  context: ActionContext,
  parts: ToolParts,
): Facts {
  if (wanted.length === 0) return facts;
  const named = namedArguments(wanted, call, context, parts);
  return { ...facts, target: { ...facts.target, named } };
}

function draftOf(
  tool: string,
  input: JsonObject,
  preview: string,
  { type, effect, reach, risk, target }: Facts,
  { actor, door }: ActionContext,
): ActionDraft {
  return { door, actor, tool, type, effect, reach, risk, target, input, preview };
}

/** Files that a client will open by itself, without a jail, lie in its workspace or elsewhere on the machine. */
function placed(facts: Facts, { door, actor, workspace = NOTHING }: ActionContext): Facts {
  const { target } = facts;
  if (target.kind !== 'path' || actor.confinement === 'jailed' || !factsOfDoor(door).callerRunsHere)
    return facts;
  const { reach, paths } = placePaths(target.paths, workspace);
  return { ...facts, reach, target: { ...target, paths } };
}

const HALF_CHARACTER = /\\ud[89a-f][0-9a-f]{2}/gi;

/**
 * The RFC 8785 text of an input, or why it has none: half a surrogate pair, which has no UTF-8 form, a number that no
 * program reads as it was written (`1e999`). What is hashed and shown would not be what the tool gets.
 */
function wholeText(input: JsonObject): { readonly text: string } | { readonly problem: string } {
  try {
    return { text: canonicalJson(input) };
  } catch (error) {
    if (!(error instanceof NoJsonForm)) throw error;
    return { problem: `the input has ${error.message}` };
  }
}

/** The call as far as it can be shown. The gate refuses it, whatever the policy says. */
function brokenText(tool: string, input: JsonObject, message: string, context: ActionContext): Action {
  // What is valid JSON stays so, whichever of its texts only look like an escape.
  const shown = JSON.parse(JSON.stringify(input).replace(HALF_CHARACTER, '\\ufffd')) as JsonObject;
  const problem = { code: 'Malformed', message } as const;
  const target: Target = { kind: 'plain', problem, ...lent(context) };
  const name = tool.toWellFormed();
  const facts = { ...unknownTool(name, context), target };
  return finishAction(draftOf(name, shown, previewOf(name, shown, target), facts, context));
}

function factsOf(
  tool: string,
  definition: CallFacts | undefined,
  argument: TargetArgument | undefined,
  input: JsonObject,
  context: ActionContext,
  parts: ToolParts,
): Facts {
  if (definition === undefined || argument === undefined) return unknownTool(tool, context);
  const { type, effect, reach } = definition;
  const base = { type, effect, reach, risk: riskOf(type, effect) };
  try {
    switch (argument.kind) {
      case 'none':
        return { ...base, target: { kind: 'plain', ...lent(context) } };
      case 'path': {
        const given =
          argument.optional === true && input[argument.arg] === undefined
            ? context.cwd
            : textArgument(input, argument.arg);
        const deep =
          argument.below === true && context.actor.confinement !== 'jailed' ? { below: true as const } : {};
        return { ...base, target: pathTarget([{ given, access: argument.access, ...deep }], context, tool) };
      }
      case 'glob': {
        const folder =
          input[argument.folder] === undefined ? context.cwd : textArgument(input, argument.folder);
        return { ...base, target: globTarget(textArgument(input, argument.arg), folder, context, tool) };
      }
      case 'patch':
        return { ...base, target: patchTarget(oneArgument(input, argument.args), context, tool) };
      case 'address':
        return { ...base, target: addressTarget(input, argument.account, argument.to, context) };
      case 'url':
        return { ...base, ...urlFacts(textArgument(input, argument.arg), definition, context, parts) };
      case 'shell': {
        const cwd =
          argument.cwd === undefined || input[argument.cwd] === undefined
            ? context.cwd
            : textArgument(input, argument.cwd);
        return shellFacts(
          textArgument(input, argument.arg),
          'shell',
          { ...context, cwd: workingFolder(cwd, context), isCwdReal: true },
          parts.readShell,
        );
      }
      case 'argv':
        return shellFacts(
          quoteArgv([textArgument(input, argument.command), ...argumentList(input[argument.args])]),
          'argv',
          context,
          parts.readShell,
        );
    }
  } catch (error) {
    if (!(error instanceof TargetRefusal)) throw error;
    return { ...base, target: { kind: 'plain', problem: error.problem, ...lent(context) } };
  }
}

/** A tool nobody described: a remote write of the highest risk. In a jail a client's own MCP server is local. */
function unknownTool(tool: string, context: ActionContext): Facts {
  const match = /^mcp:([^/]+)\/(.+)$/.exec(tool);
  const target: Target =
    match?.[1] === undefined || match[2] === undefined
      ? { kind: 'plain', ...lent(context) }
      : { kind: 'mcp', server: match[1], tool: match[2], ...lent(context) };
  const { door, actor } = context;
  const local = target.kind === 'mcp' && factsOfDoor(door).callerRunsHere && actor.confinement === 'jailed';
  return {
    type: 'custom:cli',
    effect: 'write',
    reach: local ? 'workspace' : 'remote',
    risk: 'critical',
    target,
  };
}

/** A tool that an operator declared: it asks for data and changes nothing. */
function readingTool(tool: string, context: ActionContext): Facts {
  const type = 'external_data:request';
  const { target } = unknownTool(tool, context);
  return { type, effect: 'read', reach: 'remote', risk: riskOf(type, 'read'), target };
}

function urlFacts(url: string, definition: CallFacts, context: ActionContext, parts: ToolParts): Facts {
  const head = requestOf(url);
  const classified = parts.classifyHttp(head);
  const target: HttpTarget = httpTarget(head, classified, context);
  // A fetch is a read of a page unless its host's classifier knows better.
  const isRead = classified.effect === 'read';
  const type = isRead ? definition.type : 'external_data:request';
  return {
    type,
    effect: classified.effect,
    reach: 'remote',
    risk: isRead ? riskOf(type, 'read') : classified.risk,
    target,
  };
}

function workingFolder(given: string, context: ActionContext): string {
  const target = pathTarget([{ given, access: 'read' }], context, 'Bash');
  return target.kind === 'path' ? (target.paths[0]?.real ?? context.cwd) : context.cwd;
}

function previewOf(tool: string, input: JsonObject, target: Target): string {
  if (target.kind === 'command' && typeof input.command === 'string' && Object.keys(input).length === 1) {
    return visibleText(`${tool} in ${target.cwd}\n$ ${input.command}`);
  }
  let text = target.kind === 'command' ? `${tool}\nin ${target.cwd}` : tool;
  for (const key of Object.keys(input)) {
    const value = input[key];
    text += `\n${key}: ${typeof value === 'string' ? value : JSON.stringify(value)}`;
  }
  return visibleText(text);
}
