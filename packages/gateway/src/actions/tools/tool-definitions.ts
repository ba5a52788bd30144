import type { PathFact } from '@sallyport/protocol';
import type { ToolDefinition } from './tool-definition.ts';

function file(name: string, arg: string, access: PathFact['access']): ToolDefinition {
  const type = access === 'read' ? 'code:read' : access === 'write' ? 'code:write' : 'code:delete';
  const effect = access === 'read' ? 'read' : 'write';
  return { name, type, effect, reach: 'local', target: { kind: 'path', arg, access } };
}

/** Tools that only move the conversation along. */
function inner(name: string): ToolDefinition {
  return { name, type: 'code:read', effect: 'read', reach: 'local', target: { kind: 'none' } };
}

const LIST: readonly ToolDefinition[] = [
  file('Read', 'file_path', 'read'),
  file('Write', 'file_path', 'write'),
  file('Edit', 'file_path', 'write'),
  file('MultiEdit', 'file_path', 'write'),
  file('NotebookEdit', 'notebook_path', 'write'),
  { ...file('LS', 'path', 'read'), target: { kind: 'path', arg: 'path', access: 'read', optional: true } },
  {
    ...file('Grep', 'path', 'read'),
    target: { kind: 'path', arg: 'path', access: 'read', optional: true, below: true },
  },
  { ...file('Glob', 'path', 'read'), target: { kind: 'glob', arg: 'pattern', folder: 'path' } },
  {
    name: 'Bash',
    type: 'custom:cli',
    effect: 'write',
    reach: 'remote',
    target: { kind: 'shell', arg: 'command' },
  },
  inner('BashOutput'),
  { ...inner('KillShell'), effect: 'write', type: 'custom:cli' },
  {
    name: 'WebFetch',
    type: 'browser:navigate',
    effect: 'read',
    reach: 'remote',
    target: { kind: 'url', arg: 'url' },
  },
  { name: 'WebSearch', type: 'browser:navigate', effect: 'read', reach: 'remote', target: { kind: 'none' } },
  inner('Task'),
  inner('TodoWrite'),
  inner('ExitPlanMode'),
  inner('AskUserQuestion'),
  inner('Skill'),
  inner('SlashCommand'),
  file('fs.read', 'path', 'read'),
  file('fs.list', 'path', 'read'),
  file('fs.write', 'path', 'write'),
  { ...file('fs.create', 'path', 'write'), type: 'code:create' },
  file('fs.delete', 'path', 'delete'),
  {
    name: 'cmd.run',
    type: 'custom:cli',
    effect: 'write',
    reach: 'remote',
    target: { kind: 'argv', command: 'command', args: 'args' },
  },
  {
    name: 'web.fetch',
    type: 'browser:navigate',
    effect: 'read',
    reach: 'remote',
    target: { kind: 'url', arg: 'url' },
  },
  { name: 'web.search', type: 'browser:navigate', effect: 'read', reach: 'remote', target: { kind: 'none' } },
  {
    name: 'email.send',
    type: 'comms:external',
    effect: 'write',
    reach: 'remote',
    target: { kind: 'address', account: 'from', to: ['to', 'cc', 'bcc'] },
  },
  {
    name: 'email.read',
    type: 'comms:external',
    effect: 'read',
    reach: 'remote',
    target: { kind: 'address', account: 'account', to: [] },
  },
];

const BY_NAME: ReadonlyMap<string, ToolDefinition> = new Map(LIST.map((tool) => [tool.name, tool]));

/** Undefined: nobody knows this tool, so it is a remote write of the highest risk. */
export function toolDefinition(name: string): ToolDefinition | undefined {
  return BY_NAME.get(name);
}

/** Names that rules may use; a test holds them against the gate's own table. */
export const DEFINED_TOOLS: readonly string[] = LIST.map((tool) => tool.name);
