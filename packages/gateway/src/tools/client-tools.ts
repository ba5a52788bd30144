import { fileCall, type ToolDefinition } from './tool-definition.ts';

const FILE = { category: 'file_system', pattern: 'path', by: 'client' } as const;
const SHELL = { category: 'terminal', by: 'client' } as const;
const WEB = { category: 'web', by: 'client' } as const;

/** Tools that only move the conversation along. */
function inner(docs: string) {
  const call = { type: 'code:read', effect: 'read', reach: 'workspace', target: { kind: 'none' } } as const;
  return { category: 'internal', pattern: 'none', by: 'client', docs, call } as const;
}

/** Tools that coding agents bring along and run themselves, by the names of Claude Code, which rules use for all. */
export const CLIENT_TOOLS = {
  Read: { ...FILE, docs: 'reads a file', call: fileCall('file_path', 'read') },
  Glob: {
    ...FILE,
    docs: 'finds files by name',
    call: { ...fileCall('path', 'read'), target: { kind: 'glob', arg: 'pattern', folder: 'path' } },
  },
  Grep: {
    ...FILE,
    docs: 'searches in files',
    call: {
      ...fileCall('path', 'read'),
      target: { kind: 'path', arg: 'path', access: 'read', optional: true, below: true },
    },
  },
  LS: {
    ...FILE,
    docs: 'lists a folder',
    call: {
      ...fileCall('path', 'read'),
      target: { kind: 'path', arg: 'path', access: 'read', optional: true },
    },
  },
  Write: { ...FILE, docs: 'writes a file', call: fileCall('file_path', 'write') },
  Edit: { ...FILE, docs: 'changes a file', call: fileCall('file_path', 'write') },
  MultiEdit: { ...FILE, docs: 'changes a file in several places', call: fileCall('file_path', 'write') },
  NotebookEdit: { ...FILE, docs: 'changes a notebook', call: fileCall('notebook_path', 'write') },
  Bash: {
    ...SHELL,
    pattern: 'command',
    docs: 'runs a line of the shell; each command in it is judged',
    call: {
      type: 'custom:cli',
      effect: 'write',
      reach: 'remote',
      target: { kind: 'shell', arg: 'command' },
      comments: ['description', 'justification'],
    },
  },
  BashOutput: { ...inner('reads what a shell printed'), category: 'terminal' },
  KillShell: {
    ...SHELL,
    pattern: 'none',
    docs: 'ends a shell that the agent began',
    call: { type: 'custom:cli', effect: 'write', reach: 'workspace', target: { kind: 'none' } },
  },
  WebFetch: {
    ...WEB,
    pattern: 'request',
    docs: 'gets a page',
    call: {
      type: 'browser:navigate',
      effect: 'read',
      reach: 'remote',
      target: { kind: 'url', arg: 'url' },
    },
  },
  WebSearch: {
    ...WEB,
    pattern: 'none',
    docs: 'searches the web; it names no host',
    call: { type: 'browser:navigate', effect: 'read', reach: 'remote', target: { kind: 'none' } },
  },
  Task: inner('starts a helper, whose calls come by themselves'),
  TodoWrite: inner('keeps notes'),
  ExitPlanMode: inner('shows a plan'),
  AskUserQuestion: inner('asks the person at the keyboard'),
  Skill: inner('reads a description'),
  SlashCommand: inner('runs a prompt of the person'),
} as const satisfies Readonly<Record<string, ToolDefinition>>;
