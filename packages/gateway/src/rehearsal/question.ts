import {
  type Action,
  type Actor,
  type Confinement,
  type JsonObject,
  SallyportError,
} from '@sallyport/protocol';
import { type ActionBuilder, type ActionContext, workspaceOf } from '../actions/index.ts';
import { assertNever } from '../shared/assert-never.ts';
import { parseHost } from '../shared/host.ts';
import { isDeepJson } from '../shared/json-depth.ts';
import { callFacts } from '../tools/index.ts';
import { pushBody } from './push-body.ts';

/** An action that nobody has tried yet, as people write it. */
export interface Question {
  /** `tool`: `Bash(git push)`; `http`: `POST https://…`; `cli`: `aws s3 ls` as the SSH door would see it */
  readonly form: 'tool' | 'http' | 'cli';
  readonly text: string;
  readonly tenant: string;
  readonly agent: string;
  readonly user: string | undefined;
  readonly confinement: Confinement;
  readonly cwd: string;
  readonly home: string;
  readonly credential?: string;
}

/** Which argument the text in the brackets of `Tool(text)` stands for. */
function mainArgument(tool: string): string | undefined {
  const target = callFacts(tool)?.target;
  switch (target?.kind) {
    case 'path':
    case 'glob':
    case 'shell':
    case 'url':
      return target.arg;
    case 'address':
      return target.to[0];
    case 'argv':
    case 'patch':
    case 'none':
    case undefined:
      return undefined;
    default:
      return assertNever(target);
  }
}

/** Builds the action that the question is about. Throws `BadRequest` when the text cannot be read. */
export function buildQuestion(question: Question, builder: ActionBuilder): Action {
  const actor: Actor = {
    tenant: question.tenant,
    ...(question.user === undefined ? {} : { user: question.user }),
    agent: question.agent,
    session: 'sess_rehearsal',
    chain: [question.agent],
    confinement: question.form === 'cli' ? 'unconfined' : question.confinement,
  };
  const context: ActionContext = {
    door: question.form === 'http' ? 'proxy' : question.form === 'cli' ? 'ssh' : 'hook',
    actor,
    cwd: question.cwd,
    home: question.home,
    workspace: workspaceOf(question.cwd, question.home),
    isRehearsal: true,
    ...(question.credential === undefined ? {} : { credential: question.credential }),
  };
  switch (question.form) {
    case 'http':
      return buildRequest(question.text, context, builder);
    case 'cli':
      return builder.tool({ tool: 'Bash', input: { command: question.text } }, context);
    case 'tool': {
      const { tool, input } = readToolCall(question.text, question.home);
      return builder.tool({ tool, input }, context);
    }
  }
}

function readToolCall(text: string, home: string): { readonly tool: string; readonly input: JsonObject } {
  const match = /^([A-Za-z][\w.:/-]*)(?:\(([\s\S]*)\))?$/.exec(text.trim());
  const [, tool, inside] = match ?? [];
  if (tool === undefined) {
    throw new SallyportError('BadRequest', {
      message: `\`${text}\` is not a tool call`,
      hint: "for example 'Bash(git push origin main)', 'Write(/etc/hosts)' or 'mcp:github/create_issue({\"title\":\"x\"})'",
    });
  }
  if (inside === undefined || inside === '') return { tool, input: {} };
  const argument = mainArgument(tool);
  if (argument !== undefined) return { tool, input: { [argument]: atHome(inside, argument, home) } };
  if (tool === 'cmd.run') {
    const [command = '', ...args] = inside.split(' ').filter((word) => word !== '');
    return { tool, input: { command, args } };
  }
  try {
    const input: unknown = isDeepJson(inside) ? undefined : JSON.parse(inside);
    if (typeof input === 'object' && input !== null && !Array.isArray(input))
      return { tool, input: input as JsonObject };
  } catch {
    // not JSON: said below
  }
  throw new SallyportError('BadRequest', { message: `the input of \`${tool}\` must be a JSON object` });
}

/** People write `~/`; a client sends the path written out. */
function atHome(text: string, argument: string, home: string): string {
  return argument.endsWith('path') && text.startsWith('~/') ? `${home}${text.slice(1)}` : text;
}

function buildRequest(text: string, context: ActionContext, builder: ActionBuilder): Action {
  const [, method = 'GET', address = ''] = /^(?:([A-Za-z-]+)\s+)?(\S+)/.exec(text.trim()) ?? [];
  const rest = text
    .trim()
    .slice(text.trim().indexOf(address) + address.length)
    .trim();
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const host = url === undefined ? undefined : parseHost(url.hostname);
  if (url === undefined || host === undefined || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    throw new SallyportError('BadRequest', {
      message: `\`${text}\` is not a request`,
      hint: "for example 'POST https://api.github.com/repos/acme/app/issues'",
    });
  }
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const push = url.pathname.endsWith('/git-receive-pack') ? pushBody(rest) : undefined;
  const body = push ?? (rest === '' ? undefined : new TextEncoder().encode(rest));
  return builder.http(
    {
      scheme,
      host: host.text,
      port: url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port),
      method: method.toUpperCase(),
      target: `${url.pathname}${url.search}`,
      headers: isJson(rest) ? [['Content-Type', 'application/json']] : [],
      ...(body === undefined ? {} : { bodyPrefix: body }),
      bodyComplete: true,
    },
    {},
    context,
  ).action;
}

function isJson(text: string): boolean {
  try {
    return text !== '' && JSON.parse(text) !== undefined;
  } catch {
    return false;
  }
}
