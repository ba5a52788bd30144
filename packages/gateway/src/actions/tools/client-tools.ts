import type { TargetArgument, ToolName } from '../../tools/index.ts';

export const CLIENTS = ['claude-code', 'codex', 'pi'] as const;
export type Client = (typeof CLIENTS)[number];

/** How a client calls one of the tools that rules know: its own name, and its own names of arguments. */
interface ClientTool {
  readonly tool: ToolName;
  readonly target?: TargetArgument;
}

const read = (arg: string, optional?: true): TargetArgument =>
  optional === undefined
    ? { kind: 'path', arg, access: 'read' }
    : { kind: 'path', arg, access: 'read', optional };
const write = (arg: string): TargetArgument => ({ kind: 'path', arg, access: 'write' });

/** One table a client (Claude Code 2.1.325, Codex 0.166.0, Pi 0.87.1). A name that is missing here is not guessed: it stays unknown. */
const TABLES: Readonly<Record<Client, Readonly<Record<string, ClientTool>>>> = {
  'claude-code': {
    // Claude Code's own names are the names that rules use.
    Agent: { tool: 'Task' },
    ListAgents: { tool: 'Task' },
    SendMessage: { tool: 'Task' },
    ScheduleWakeup: { tool: 'Task' },
    KillBash: { tool: 'KillShell' },
    TaskStop: { tool: 'KillShell' },
    TaskOutput: { tool: 'BashOutput' },
    TaskCreate: { tool: 'TodoWrite' },
    TaskUpdate: { tool: 'TodoWrite' },
    TaskGet: { tool: 'TodoWrite' },
    TaskList: { tool: 'TodoWrite' },
    ReportFindings: { tool: 'TodoWrite' },
    EnterPlanMode: { tool: 'ExitPlanMode' },
    // Loads the descriptions of tools; each of their calls is a question of its own.
    ToolSearch: { tool: 'Skill' },
    Monitor: { tool: 'Bash', target: { kind: 'shell', arg: 'command' } },
  },
  codex: {
    exec_command: { tool: 'Bash', target: { kind: 'shell', arg: 'cmd', cwd: 'workdir' } },
    shell_command: { tool: 'Bash', target: { kind: 'shell', arg: 'command', cwd: 'workdir' } },
    apply_patch: { tool: 'Edit', target: { kind: 'patch', args: ['input', 'command'] } },
    view_image: { tool: 'Read', target: read('path') },
    update_plan: { tool: 'TodoWrite' },
    get_goal: { tool: 'TodoWrite' },
    create_goal: { tool: 'TodoWrite' },
    update_goal: { tool: 'TodoWrite' },
    request_user_input: { tool: 'AskUserQuestion' },
    spawn_agent: { tool: 'Task' },
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
