/** Starts one jail, as the command line does, from the spec in its first argument; the tests kill it at some moment. */
import { createJailGroup, type JailSpec, prepareJail, spawnJail } from '../../src/sandbox/jail/index.ts';

const spec = JSON.parse(process.argv[2] ?? '') as JailSpec;
const group = createJailGroup(spec.limits);
const child = spawnJail(prepareJail(spec, group), [spec.tty ? 'inherit' : 'ignore', 'inherit', 'inherit']);
child.once('spawn', () => process.stdout.write('started\n'));
child.once('close', (code) => {
  process.exitCode = code ?? 1;
  void group.remove();
});
