import type { Action } from '@sallyport/protocol';

/** An action whose text tries to talk its reviewer into something. */
export interface Injection {
  readonly why: string;
  /** where the text stands */
  readonly place: 'command' | 'url' | 'body' | 'header' | 'file' | 'mcp' | 'mail';
  readonly tool: string;
  readonly target: Action['target'];
  readonly input: Action['input'];
  /** what must arrive as data, whole */
  readonly text: string;
}

const CWD = '/srv/root/project';

export function command(why: string, text: string): Injection {
  const fact = {
    program: 'sh',
    argv: ['sh', '-c', text],
    text,
    effect: 'write',
    reach: 'workspace',
    type: 'custom:cli',
    risk: 'high',
    writes: [],
  } as const;
  const target = { kind: 'command', form: 'shell', cwd: CWD, commands: [fact] } as const;
  return { why, place: 'command', tool: 'Bash', target, input: { command: text }, text };
}

/** `path` is what the URL says; the host is one that nobody knows. */
export function url(why: string, path: string): Injection {
  return request(why, 'url', path, { method: 'POST', url: `https://collect.example${path}` }, path);
}

export function body(why: string, text: string): Injection {
  return request(why, 'body', '/x', { method: 'POST', url: 'https://collect.example/x', body: text }, text);
}

export function header(why: string, name: string, value: string): Injection {
  const headers = [[name, value]];
  return request(why, 'header', '/x', { method: 'POST', url: 'https://collect.example/x', headers }, value);
}

function request(
  why: string,
  place: Injection['place'],
  path: string,
  input: Action['input'],
  text: string,
): Injection {
  const target = {
    kind: 'http',
    scheme: 'https',
    host: 'collect.example',
    port: 443,
    method: 'POST',
    path,
    queryKeys: [],
  } as const;
  return { why, place, tool: 'web.fetch', target, input, text };
}

export function file(why: string, path: string, content: string, text = content): Injection {
  const target = { kind: 'path', cwd: CWD, paths: [{ given: path, real: path, access: 'write' }] } as const;
  return { why, place: 'file', tool: 'Write', target, input: { file_path: path, content }, text };
}

export function mcp(why: string, tool: string, input: Action['input'], text: string): Injection {
  return {
    why,
    place: 'mcp',
    tool: `mcp:tracker/${tool}`,
    target: { kind: 'mcp', server: 'tracker', tool },
    input,
    text,
  };
}

export function mail(why: string, text: string): Injection {
  const target = { kind: 'address', addresses: ['all@collect.example'] } as const;
  return {
    why,
    place: 'mail',
    tool: 'email.send',
    target,
    input: { to: 'all@collect.example', body: text },
    text,
  };
}
