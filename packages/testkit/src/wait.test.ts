import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { waitFor, waitUntil } from './wait.ts';

const NEVER = new Promise<never>(() => {});
const soon = { timeoutMs: 50, intervalMs: 1 };

describe('waiting', () => {
  test('gives back what was looked for, also when it is 0 or empty', async () => {
    let looks = 0;
    const third = () => {
      looks += 1;
      return looks < 3 ? undefined : 0;
    };
    expect(await waitUntil('the third look', third, { intervalMs: 1 })).toBe(0);
    expect(await waitFor('nothing', () => '')).toBe('');
  });

  test('that takes too long says what it waited for, and why it is not there', async () => {
    await expect(waitUntil('a question', () => false, soon)).rejects.toThrow(
      /^waited 0.05 s for a question$/,
    );
    await expect(waitFor('a question', () => expect(1).toBe(2), soon)).rejects.toThrow(
      /^waited 0.05 s for a question: expected 1 to be 2/,
    );
  });

  test('does not wait longer for a look that hangs', async () => {
    await expect(waitFor('a question', () => NEVER, soon)).rejects.toThrow('waited 0.05 s for a question');
  });

  test('ends at once with what was thrown while looking', async () => {
    const look = (): boolean => {
      throw new Error('the gateway is gone');
    };
    await expect(waitUntil('a question', look)).rejects.toThrow('the gateway is gone');
  });

  test.each([
    { how: 'fails', unless: () => Promise.reject(new Error('no model')), says: /failed: no model/ },
    {
      how: 'ends',
      unless: () => Promise.resolve({ verdict: 'allow' }),
      says: /ended with {"verdict":"allow"}/,
    },
    {
      how: 'exits',
      unless: () => spawn(process.execPath, ['-e', 'process.exit(3)'], { stdio: 'ignore' }),
      says: /the process \d+ ended with 3/,
    },
    { how: 'cannot start', unless: () => spawn('/no/such/program'), says: /did not start: spawn .* ENOENT/ },
  ])('is over when what it depends on $how, however long one would wait', async ({ unless, says }) => {
    const waiting = waitUntil('a question', () => false, { unless: [NEVER, unless()], timeoutMs: 600_000 });
    await expect(waiting).rejects.toThrow(/^waited for a question, but /);
    await expect(waiting).rejects.toThrow(says);
  });

  test('finds what came together with the end', async () => {
    let printed = '';
    const child = spawn(process.execPath, ['-e', 'console.log("up")'], {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.on('data', (data) => {
      printed += data;
    });
    const closed = new Promise((resolve) => child.once('close', resolve));
    expect(await waitUntil('its word', () => printed.includes('up'), { unless: closed })).toBe(true);
  });

  test('leaves no listeners on the process', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    await waitUntil('nothing', () => true, { unless: child });
    expect([child.listenerCount('exit'), child.listenerCount('error')]).toEqual([0, 0]);
    child.kill();
  });
});
