import type { TargetArgument } from './tool-definition.ts';

export const CLIENTS = ['claude-code', 'codex', 'pi'] as const;
export type Client = (typeof CLIENTS)[number];

/** How a client calls one of the tools that rules know: its own name, and its own names of arguments. */
interface ClientTool {
  readonly tool: string;
  readonly target?: TargetArgument;
}

const read = (arg: string, optional?: true): TargetArgument =>
  optional === undefined
    ? { kind: 'path', arg, access: 'read' }
    : { kind: 'path', arg, access: 'read', optional };
const write = (arg: string): TargetArgument => ({ kind: 'path', arg, access: 'write' });

/** One table a client. A name that is missing here is not guessed: it stays unknown. */
const TABLES: Readonly<Record<Client, Readonly<Record<string, ClientTool>>>> = {
  'claude-code': {
    // Claude Code's own names are the names that rules use.
    Agent: { tool: 'Task' },
    KillBash: { tool: 'KillShell' },
  },
  codex: {
    exec_command: { tool: 'Bash', target: { kind: 'shell', arg: 'cmd', cwd: 'workdir' } },
    shell_command: { tool: 'Bash', target: { kind: 'shell', arg: 'command', cwd: 'workdir' } },
    apply_patch: { tool: 'Edit', target: { kind: 'patch', args: ['input', 'command'] } },
    view_image: { tool: 'Read', target: read('path') },
    update_plan: { tool: 'TodoWrite' },
    web_search: { tool: 'WebSearch' },
  },
  pi: {
    bash: { tool: 'Bash', target: { kind: 'shell', arg: 'command' } },
    read: { tool: 'Read', target: read('path') },
    write: { tool: 'Write', target: write('path') },
    edit: { tool: 'Edit', target: write('path') },
    ls: { tool: 'LS', target: read('path', true) },
    grep: { tool: 'Grep', target: read('path', true) },
    find: { tool: 'Glob', target: { kind: 'glob', arg: 'pattern', folder: 'path' } },
  },
};

/** The tool that rules know, for a client's own name; undefined when the client's name is the name. */
export function clientTool(client: Client, name: string): ClientTool | undefined {
  const table = TABLES[client];
  return Object.hasOwn(table, name) ? table[name] : undefined;
}
