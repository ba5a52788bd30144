import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { RunFolders } from './run-folder.ts';

const SESSION = `sess_${'0'.repeat(26)}`;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'run-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe('RunFolders', () => {
  test('keeps sockets in the home, for its owner alone', () => {
    const home = folder();
    expect(statSync(new RunFolders(home, {}).make(SESSION)).mode & 0o777).toBe(0o700);
    expect(new RunFolders(home, {}).clear()).toEqual([SESSION]);
  });

  test('takes the runtime folder when the home is too deep for a socket, as on some network disks', () => {
    const deep = join(folder(), 'd'.repeat(90));
    const runtime = folder();
    mkdirSync(deep);
    expect(new RunFolders(deep, { XDG_RUNTIME_DIR: runtime }).make(SESSION)).toContain(runtime);
  });

  test('says how short a home has to be when there is no other place', () => {
    const deep = join(folder(), 'd'.repeat(90));
    expect(() => new RunFolders(deep, {}).make(SESSION)).toThrow(
      expect.objectContaining({ code: 'HomeUnusable', hint: expect.stringContaining('at most 65 bytes') }),
    );
  });

  test('a home that takes no folders is said in words', () => {
    const home = folder();
    writeFileSync(join(home, 'run'), '');
    expect(() => new RunFolders(home, {}).make(SESSION)).toThrow(
      expect.objectContaining({ code: 'HomeUnusable', message: expect.stringContaining('not a folder') }),
    );
  });
});
