import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ACTOR, FilesFixture, volume } from './files-fixture.ts';

const STRANGER = { ...ACTOR, tenant: 'other' };

describe('a volume belongs to its tenants', () => {
  test('[ID-4] agents of another tenant neither see it nor reach it, whatever was admitted', async () => {
    const fixture = await FilesFixture.open();
    writeFileSync(fixture.at('plan.txt'), 'ours');
    expect(fixture.path.tools(ACTOR)).not.toEqual([]);
    expect(fixture.path.tools(STRANGER)).toEqual([]);
    expect(await fixture.call('fs.read', { path: '/workspace/plan.txt' })).toMatchObject({ content: 'ours' });
    for (const [tool, more] of [
      ['fs.read', {}],
      ['fs.list', {}],
      ['fs.write', { content: 'theirs' }],
      ['fs.delete', {}],
    ] as const) {
      const action = fixture.build(tool, { path: '/workspace/plan.txt', ...more }, STRANGER);
      await expect(fixture.run(action), tool).rejects.toMatchObject({ code: 'PathOutsideBoundary' });
    }
  });

  test('[ID-4] the same mount is another folder for another tenant', async () => {
    const fixture = await FilesFixture.open((root) => {
      mkdirSync(join(root, 'theirs'));
      writeFileSync(join(root, 'theirs', 'plan.txt'), 'theirs');
      writeFileSync(join(root, 'work', 'plan.txt'), 'ours');
      const theirs = { ...volume(root), name: 'theirs', path: join(root, 'theirs'), tenants: ['other'] };
      return [volume(root), theirs];
    });
    const path = '/workspace/plan.txt';
    expect(await fixture.call('fs.read', { path })).toMatchObject({ content: 'ours' });
    expect(await fixture.call('fs.read', { path }, STRANGER)).toMatchObject({ content: 'theirs' });
  });
});
