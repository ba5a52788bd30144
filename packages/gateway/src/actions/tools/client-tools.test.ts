import { expect, test } from 'vitest';
import { callFacts } from '../../tools/index.ts';
import { clientTool } from './client-tools.ts';

test.each([
  ['claude-code', 'Agent', 'Task', 'a helper of its own, whose calls come by themselves'],
  ['claude-code', 'ToolSearch', 'Skill', 'reads descriptions'],
  ['claude-code', 'TaskStop', 'KillShell', 'ends what it began'],
  ['claude-code', 'Monitor', 'Bash', 'runs a command and watches it'],
  ['codex', 'exec_command', 'Bash', "the model's name of the shell"],
  ['codex', 'apply_patch', 'Edit', 'writes files'],
  ['codex', 'create_goal', 'TodoWrite', 'its own notes'],
  ['pi', 'bash', 'Bash', 'lower case'],
  ['pi', 'find', 'Glob', 'another name'],
] as const)('%s calls %s what rules call %s: %s', (client, name, tool, _why) => {
  expect(clientTool(client, name)?.tool).toBe(tool);
  expect(callFacts(tool)).toBeDefined();
});

test.each([
  ['claude-code', 'Workflow', 'runs a script'],
  ['claude-code', 'CronCreate', 'runs later, when nobody looks'],
  ['claude-code', 'constructor', 'a name of every object'],
  ['codex', 'write_stdin', 'types into whatever runs there'],
  ['codex', 'Agent', "another client's name"],
  ['pi', 'powershell', 'a shell that nobody here can read'],
] as const)('%s: %s stays unknown: %s', (client, name, _why) => {
  expect(clientTool(client, name)).toBeUndefined();
  expect(callFacts(name)).toBeUndefined();
});
