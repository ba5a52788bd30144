// A loop of somebody's own on the Claude Agent SDK: `node agent-sdk-main.mjs <sdk> <claude>`. Each message is a line.
import { pathToFileURL } from 'node:url';

const [sdk, claude] = process.argv.slice(2);
const { query } = await import(pathToFileURL(sdk).href);
const options = {
  pathToClaudeCodeExecutable: claude,
  // Its own questions are off, and it reads the settings of its person: what stops a tool here is the hook.
  permissionMode: 'bypassPermissions',
  allowDangerouslySkipPermissions: true,
  settingSources: ['user'],
  cwd: process.cwd(),
  env: process.env,
};
for await (const message of query({ prompt: 'do it', options })) {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
