import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { requireEngine } from '@sallyport/testkit/needs';
import { sample } from '@sallyport/testkit/rounds';
import { makeTemplate } from '@sallyport/testkit/workspace-template';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { IN_MEMORY } from './workspace-fixture.ts';

const needs = requireEngine('git');
const execute = promisify(execFile);
const CHILD = join(import.meta.dirname, 'without-a-part.child.ts');

const RESTORE = 'undo/restore.ts';
const PLAN = 'undo/plan.ts';
const DISK = 'tree/held-folder.ts';
/** Parts of what puts a workspace back: which, where, its text, and what stands there without it. */
const PARTS: readonly (readonly [string, string, string, string])[] = [
  ['what is new goes', RESTORE, 'if (this.#mustGoFirst(step)) this.#remove(step);', ';'],
  ['the inner before the outer', RESTORE, 'open.toReversed()', 'open'],
  ['a folder where a file was', RESTORE, " || (is.kind === 'folder') !== (step.was.kind === 'folder')", ''],
  ['what was comes back', RESTORE, 'if (!this.#meanwhile.has(step.path)) this.#make(step);', ';'],
  ['folders', RESTORE, 'folder.makeFolder(name);', ''],
  ['rights of folders', RESTORE, 'this.#walk.settle(', 'void ('],
  ['links', RESTORE, 'folder.makeLink(temporary, was.target);', "folder.makeLink(temporary, '.');"],
  ['fifos', RESTORE, 'folder.makeFifo(temporary);', 'folder.makeFolder(temporary);'],
  ['rights of fifos', RESTORE, 'folder.setRights(temporary, was);', ''],
  ['the last name', RESTORE, 'folder.rename(temporary, name);', ''],
  ['contents', RESTORE, 'this.#parts.objects.copyTo(was.hash, file);', ''],
  ['rights of files', RESTORE, 'file.setRights(was);', ''],
  ['times of git', RESTORE, 'if (this.#parts.isGit(path))', 'if (false)'],
  ['several names', RESTORE, 'if (anchor !== undefined && anchor !== path)', 'if (false)'],
  ['the first of several names', RESTORE, 'this.#anchors.set(was.group, path);\n  }', ';\n  }'],
  ['names that stayed', PLAN, '!this.#back.has(path))\n        anchors.set', 'false)\n        anchors.set'],
  [
    'one step for each path',
    PLAN,
    'for (const path of held) this.#back.set',
    'for (const path of held.slice(1)) this.#back.set',
  ],
  ['what only was', PLAN, 'new Set([...target.keys(), ...now.keys()])', 'now.keys()'],
  ['what only is', PLAN, 'new Set([...target.keys(), ...now.keys()])', 'target.keys()'],
  [
    'the folder itself',
    DISK,
    'fchmodSync(this.#fd, rights.mode);\n  }\n\n  [Symbol.dispose]',
    '}\n\n  [Symbol.dispose]',
  ],
  ['rights by name', DISK, 'chmodSync(`/proc/self/fd/${fd}`, rights.mode);', ''],
  [
    'bytes',
    DISK,
    'at += writeSync(this.#fd, bytes, at, bytes.length - at, position + at);',
    'at = bytes.length;',
  ],
];

interface Said {
  readonly found?: readonly string[];
  readonly problem?: string;
}

describe.skipIf(needs.missing)(`undo without a part of it (${needs.install})`, () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(IN_MEMORY, 'undo-template-'));
    makeTemplate(join(folder, 'work'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  async function differences(...part: readonly string[]): Promise<Said> {
    const { stdout } = await execute(process.execPath, [CHILD, join(folder, 'work'), ...part]);
    return JSON.parse(stdout) as Said;
  }

  test('[WO-1] whole, it gives back everything', async () => {
    expect(await differences()).toEqual({ found: [] });
  });

  test.each(sample(PARTS))('[WO-1] does not pass for right: %s', async (_, file, part, instead) => {
    const { found, problem } = await differences(file, part, instead);
    expect(problem).toBeUndefined();
    expect(found).not.toEqual([]);
  });
});
