import { spawnSync } from 'node:child_process';
import { openNestedJail } from '@sallyport/worker';

// Stands in the place of the worker: runs its first argument as the worker runs a command, with a secret of its own.
const secret = process.argv[3] ?? '';
const nested = openNestedJail()(['bash', '-c', process.argv[2] ?? ''], process.cwd(), {});
const { status } = spawnSync(nested.program, nested.args, {
  cwd: '/',
  stdio: ['ignore', 'inherit', 'inherit', nested.filter],
});
process.exitCode = secret === '' ? 1 : (status ?? 1);
