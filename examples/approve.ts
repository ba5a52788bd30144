// An agent loop that asks a person before it runs a command.
//
//   SALLYPORT_API_KEY=$(cat ~/.sallyport/api.key) node examples/approve.ts 'npm publish'
import { execFileSync } from 'node:child_process';
import { argv, env, stdout } from 'node:process';
import { connect } from '@sallyport/client';

const command = argv[2] ?? 'echo hello';
const url = env.SALLYPORT_URL ?? 'http://127.0.0.1:7180';

// The three lines.
const sallyport = connect({ apiKey: env.SALLYPORT_API_KEY ?? '', url });
const question = { session_id: 'example', action_type: 'exec_cmd', title: 'Run command', preview: command };
const { approved, status, note, override } = await sallyport.approve(question);

if (note !== undefined) stdout.write(`note: ${note}\n`);
// What a person changed replaces what was asked; what they did not allow does not run.
if (approved) stdout.write(execFileSync('/bin/sh', ['-c', override ?? command]));
else stdout.write(`not run: ${status}\n`);
