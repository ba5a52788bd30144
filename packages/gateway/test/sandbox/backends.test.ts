import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { requireEngine, tempDir } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { openBubblewrap, openSubprocess } from './backends.ts';
import { describeSandboxContract } from './sandbox.contract.ts';

const bwrap = requireEngine('bubblewrap');
describeSandboxContract('subprocess', openSubprocess);

describe.skipIf(bwrap.missing)(`with bwrap (${bwrap.install})`, () => {
  describeSandboxContract('bubblewrap', openBubblewrap);

  test('[JA-9] a masked file stays masked when a command has moved its folder', async () => {
    await using dir = await tempDir();
    const workspace = join(dir.path, 'project');
    mkdirSync(join(workspace, 'config'), { recursive: true });
    writeFileSync(join(workspace, 'config/prod.env'), 'KEY=canary\n');
    const backend = openBubblewrap(dir.path);
    const sandbox = await backend.acquire('agent', { workspace });
    const shell = async (line: string): Promise<string> =>
      (await sandbox.exec(['sh', '-c', `${line} 2>&1`])).stdout;
    expect(await shell('cat config/prod.env')).not.toContain('canary');
    await shell('mv config node_modules; mkdir config; touch config/prod.env');
    expect(await shell('ls node_modules; cat node_modules/prod.env')).toBe('prod.env\n');
    await backend.cleanup();
  });
});
