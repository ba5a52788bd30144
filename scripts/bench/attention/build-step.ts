import type { Action, Actor, JsonObject } from '@sallyport/protocol';
import {
  type ActionBuilder,
  type ActionContext,
  type ToolCall,
  workspaceOf,
} from '../../../packages/gateway/src/actions/index.ts';
import { pushBody } from '../../../packages/gateway/src/rehearsal/push-body.ts';
import type { Machine } from './machine.ts';
import { MODELS } from './model-requests.ts';
import type { Step } from './read-day.ts';

const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** What a step is built with. */
export interface Stage {
  readonly machine: Machine;
  readonly builder: ActionBuilder;
  /** the credential that the proxy would lend there */
  readonly credentialFor: (host: string, port: number, path: string) => string | undefined;
}

/** Tools of the day's MCP servers that only read, as the operator took them over from the offered list. */
const ONLY_READS = /^(?:get|list|search)_/;

/** The action of one step, built as its door builds it. */
export function buildStep(step: Step, actor: Actor, stage: Stage): Action {
  const { machine, builder } = stage;
  const cwd = machine.folderOf(step.place);
  const at = (door: ActionContext['door']): ActionContext => ({
    door,
    actor,
    cwd,
    home: machine.home,
    workspace: workspaceOf(cwd, machine.home),
  });
  const call = (input: JsonObject, tool: string = step.verb): Action =>
    builder.tool({ tool, input }, at('hook'));
  const path = (text: string): string =>
    text.startsWith('~/')
      ? `${machine.home}${text.slice(1)}`
      : text.startsWith('/')
        ? text
        : `${cwd}/${text}`;
  const { verb, rest } = step;
  if (METHODS.has(verb)) return request(verb, rest, at('proxy'), stage);
  switch (verb) {
    case 'model':
      return request('POST', MODELS[rest] ?? '', at('proxy'), stage);
    case 'PUSH':
    case 'FETCH':
      return gitRequest(verb, rest, at('proxy'), stage);
    case 'Bash':
      return call({ command: rest, description: `step ${rest.length} of the work` });
    case 'Read':
      return call({ file_path: path(rest) });
    case 'Write':
      return call({ file_path: path(rest), content: 'text\n' });
    case 'Edit':
      return call({ file_path: path(rest), old_string: 'a', new_string: 'b' });
    case 'Glob':
      return call({ pattern: rest });
    case 'Grep': {
      const cut = rest.lastIndexOf(' ');
      return call({ pattern: rest.slice(0, cut), path: path(rest.slice(cut + 1)) });
    }
    case 'Patch': {
      const input = `*** Begin Patch\n*** Update File: ${rest}\n@@\n-a\n+b\n*** End Patch`;
      return builder.tool({ client: 'codex', tool: 'apply_patch', input: { input } }, at('hook'));
    }
    case 'WebFetch':
      return call({ url: rest, prompt: 'What does it say?' });
    case 'WebSearch':
      return call({ query: rest });
    case 'mcp':
      return builder.tool(mcpCall(rest), at('mcp'));
    case 'seal': {
      const [, tool = '', input = '{}'] = /^(\S+) (.*)$/.exec(rest) ?? [];
      return builder.tool({ tool, input: JSON.parse(input) as JsonObject }, at('seal'));
    }
    case 'sealcmd': {
      const [command = '', ...args] = rest.split(' ');
      return builder.tool({ tool: 'cmd.run', input: { command, args } }, at('seal'));
    }
    default:
      throw new Error(`a day has no step \`${verb}\``);
  }
}

function mcpCall(text: string): ToolCall {
  const [, server = '', tool = '', input = '{}'] = /^([\w-]+)\/(\w+) (.*)$/s.exec(text) ?? [];
  const onlyReads = ONLY_READS.test(tool);
  return { tool: `mcp:${server}/${tool}`, input: JSON.parse(input) as JsonObject, onlyReads };
}

/** `https://… [header: value] body` */
function request(method: string, text: string, context: ActionContext, stage: Stage): Action {
  const [, address = '', name, value, body = ''] =
    /^(\S+)(?: \[([\w-]+): ([^\]]*)\])?(?: ([\s\S]*))?$/.exec(text) ?? [];
  const extra = name === undefined || value === undefined ? [] : [[name, value] as const];
  const bytes = body === '' ? undefined : new TextEncoder().encode(body);
  return send(method, new URL(address), [...extra, ...typeOf(body)], bytes, context, stage);
}

function typeOf(body: string): readonly (readonly [string, string])[] {
  if (body === '') return [];
  if (/^[[{]/.test(body)) return [['content-type', 'application/json']];
  if (/^[\w:.]+=/.test(body)) return [['content-type', 'application/x-www-form-urlencoded']];
  return [['content-type', 'application/octet-stream']];
}

/** `https://….git refs/heads/x -o option` */
function gitRequest(verb: string, text: string, context: ActionContext, stage: Stage): Action {
  const [address = '', ...words] = text.split(' ');
  const service = verb === 'PUSH' ? 'git-receive-pack' : 'git-upload-pack';
  const options = words.flatMap((word, index) => (words[index - 1] === '-o' ? [word] : []));
  const refs = words.filter((word) => /^[+:]?refs\//.test(word));
  const body =
    verb === 'PUSH' ? withOptions(pushBody(refs.join(' ')), options) : new TextEncoder().encode(WANT);
  const type = [['content-type', `application/x-${service}-request`] as const];
  return send('POST', new URL(`${address}/${service}`), type, body, context, stage);
}

const WANT = `0032want ${'a'.repeat(40)}\n00000009done\n`;

function withOptions(body: Uint8Array | undefined, options: readonly string[]): Uint8Array | undefined {
  if (body === undefined || options.length === 0) return body;
  const text = Buffer.from(body).toString('latin1');
  const [, size = '', command = '', rest = ''] =
    /^([0-9a-f]{4})([\s\S]*?\0)report-status([\s\S]*)$/.exec(text) ?? [];
  const first = `${command}report-status push-options`;
  const said = options.map((option) => packet(option)).join('');
  if (size === '' || !rest.startsWith('0000')) throw new Error('the push cannot be given options');
  return Buffer.from(`${packet(first)}0000${said}0000${rest.slice(4)}`, 'latin1');
}

function packet(text: string): string {
  return (text.length + 4).toString(16).padStart(4, '0') + text;
}

function send(
  method: string,
  url: URL,
  headers: readonly (readonly [string, string])[],
  body: Uint8Array | undefined,
  context: ActionContext,
  { builder, credentialFor }: Stage,
): Action {
  const scheme = url.protocol === 'https:' ? 'https' : 'http';
  const port = url.port === '' ? (scheme === 'https' ? 443 : 80) : Number(url.port);
  const credential = credentialFor(url.hostname, port, url.pathname);
  const { action } = builder.http(
    {
      scheme,
      host: url.hostname,
      port,
      method,
      target: `${url.pathname}${url.search}`,
      headers: [['user-agent', 'client/1.0'], ['accept', '*/*'], ...headers],
      ...(body === undefined ? {} : { bodyPrefix: body }),
      bodyComplete: true,
    },
    body === undefined ? {} : { bytes: body.length },
    credential === undefined ? context : { ...context, credential },
  );
  return action;
}
