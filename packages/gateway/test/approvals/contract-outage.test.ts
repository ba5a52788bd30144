import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';

describe('Slack and Discord', () => {
  test('services that go away end neither the process nor keep it alive after the stop', async () => {
    const program = join(import.meta.dirname, 'contract-outage.fixture.ts');
    // Rejects for an exit code that is not 0, and when it does not end by itself.
    const { stdout } = await promisify(execFile)(process.execPath, [program], { timeout: 60_000 });
    expect(stdout.trim().split('\n').toSorted()).toEqual(['discord stopped', 'slack stopped']);
  });
});
