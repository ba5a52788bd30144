// Stands for an agent's client: calls its hook as clients do, then does what its agent says, in a shell.
//   node client.mjs HOOK-LINE SHELL-LINE
import { spawnSync } from 'node:child_process';

const [hook, line] = process.argv.slice(2);
const event = {
  hook_event_name: 'PreToolUse',
  session_id: 'conversation-1',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 'toolu_1',
  cwd: process.cwd(),
};
const options = { input: JSON.stringify(event), encoding: 'utf8' };
const asked = spawnSync('/bin/sh', ['-c', hook], options);
process.stdout.write(`hook ${asked.status}\n${asked.stderr}`);
const done = spawnSync('/bin/bash', ['-c', line], { encoding: 'utf8' });
process.stdout.write(`${done.stdout}${done.stderr}`);
