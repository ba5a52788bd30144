import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { takeHomeLock } from './home-lock.ts';

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sallyport-lock-'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

describe('takeHomeLock', () => {
  test('refuses a second holder and names the first', () => {
    const lock = takeHomeLock(home);
    expect(() => takeHomeLock(home)).toThrow(
      expect.objectContaining({ code: 'HomeInUse', details: { pid: process.pid } }),
    );
    // The failed attempt must not have loosened it.
    expect(() => takeHomeLock(home)).toThrow(expect.objectContaining({ code: 'HomeInUse' }));
    lock.release();
  });

  test('can be taken again after release, and releasing twice does no harm', () => {
    const first = takeHomeLock(home);
    first.release();
    const second = takeHomeLock(home);
    first.release();
    expect(() => takeHomeLock(home)).toThrow(expect.objectContaining({ code: 'HomeInUse' }));
    expect(existsSync(join(home, 'gateway.pid'))).toBe(true);
    second.release();
    expect(existsSync(join(home, 'gateway.pid'))).toBe(false);
  });

  test('leaves files for the owner only', () => {
    const lock = takeHomeLock(home);
    for (const file of ['gateway.lock', 'gateway.pid']) {
      expect(statSync(join(home, file)).mode & 0o077).toBe(0);
    }
    lock.release();
  });

  test('says so when the folder cannot hold a lock', () => {
    expect(() => takeHomeLock(join(home, 'missing'))).toThrow(
      expect.objectContaining({ code: 'HomeUnusable' }),
    );
  });
});
