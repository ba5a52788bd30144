import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, tempDir, waitFor } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { processesWith } from './leftovers.ts';

const bwrap = requireEngine('bubblewrap');
const GONE = '[JA-6] when the gateway is killed, what it runs is gone';
const backends = join(import.meta.dirname, 'backends.ts');

test.skipIf(bwrap.missing)(`${GONE}: bubblewrap (${bwrap.install})`, () => isGone('openBubblewrap'));
test(`${GONE}: subprocess`, () => isGone('openSubprocess'));

async function isGone(opener: string): Promise<void> {
  await using folder = await tempDir();
  mkdirSync(join(folder.path, 'work'));
  const mark = `4003.${process.pid}${opener.length}`;
  const program = `
      const { ${opener} } = await import(${JSON.stringify(backends)});
      const sandbox = await ${opener}(${JSON.stringify(folder.path)}).acquire('a', { workspace: ${JSON.stringify(join(folder.path, 'work'))} });
      await sandbox.exec(['sh', '-c', 'echo up; (setsid sleep ${mark} &); exec sleep ${mark}'], { onOutput: () => console.log('up') });
    `;
  const gateway = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(gateway.stdout, 'data');
  expect(processesWith(mark).length).toBeGreaterThan(0);
  gateway.kill('SIGKILL');
  await once(gateway, 'close');
  await waitFor('no process to be left', () => expect(processesWith(mark)).toEqual([]));
}
