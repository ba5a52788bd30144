import { existsSync, mkdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, Verdict } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { ACTOR, codeOf, FilesFixture, volume } from './files-fixture.ts';

const MIB = 1024 * 1024;

describe('the file tools', () => {
  test('write, read, list, create and delete', async () => {
    const fixture = await FilesFixture.open();
    const path = '/workspace/solution.py';
    expect(await fixture.call('fs.write', { path, content: 'print("é")\n' })).toEqual({
      success: true,
      bytes_written: 12,
    });
    expect(await fixture.call('fs.read', { path })).toEqual({
      success: true,
      content: 'print("é")\n',
      encoding: 'utf8',
      bytes_read: 12,
      size: 12,
      next_offset: null,
    });
    expect(await fixture.call('fs.create', { path: '/workspace/a/b/c', kind: 'folder' })).toEqual({
      success: true,
      bytes_written: 0,
    });
    expect(await fixture.call('fs.create', { path: '/workspace/a/b/new', content: 'x' })).toEqual({
      success: true,
      bytes_written: 1,
    });
    expect(await fixture.call('fs.list', { path: '/workspace' })).toEqual({
      success: true,
      entries: [
        { name: 'a', kind: 'folder', size: 0 },
        { name: 'solution.py', kind: 'file', size: 12 },
      ],
      next: null,
    });
    expect(await fixture.call('fs.delete', { path })).toEqual({ success: true });
    expect(existsSync(fixture.at('solution.py'))).toBe(false);
  });

  test('each of them leaves its event, with the path that the agent knows', async () => {
    const fixture = await FilesFixture.open();
    const path = '/workspace/f';
    const calls: readonly [tool: string, input: JsonObject, type: string, data: JsonObject][] = [
      ['fs.create', { path, content: 'abc' }, 'FileWritten', { operation: 'create', bytes: 3 }],
      ['fs.write', { path, content: 'abcd' }, 'FileWritten', { operation: 'write', bytes: 4 }],
      ['fs.read', { path }, 'FileRead', { operation: 'read', bytes: 4, offset: 0 }],
      ['fs.list', { path: '/workspace' }, 'FileRead', { operation: 'list', entries: 1, path: '/' }],
      ['fs.delete', { path }, 'FileWritten', { operation: 'delete' }],
    ];
    for (const [tool, input, type, data] of calls) {
      fixture.trail.events.length = 0;
      const action = fixture.build(tool, input);
      await fixture.run(action);
      expect(fixture.trail.events).toEqual([
        {
          tenant: 'default',
          type: `StorageEvent::${type}`,
          actor: { kind: 'agent', ...ACTOR },
          action_id: action.id,
          data: { volume: 'work', path: '/f', ...data },
        },
      ]);
    }
  });

  test('[TO-4] a path with dots that the gate refused is an event too, and any other refusal is not', async () => {
    const fixture = await FilesFixture.open();
    const action = fixture.build('fs.read', { path: '/workspace/../etc/passwd' });
    expect(action.target.problem?.code).toBe('PathTraversalAttempt');
    fixture.path.refused(action, 'PathTraversalAttempt');
    fixture.path.refused(action, 'RuleDenied');
    fixture.path.refused(fixture.build('Read', { file_path: '../x' }), 'PathTraversalAttempt');
    expect(fixture.trail.events).toMatchObject([
      {
        type: 'StorageEvent::PathTraversalBlocked',
        action_id: action.id,
        data: { path: '/workspace/../etc/passwd' },
      },
    ]);
  });

  test('[GA-1] nothing runs without a permit, or with the permit of another call', async () => {
    const fixture = await FilesFixture.open();
    const action = fixture.build('fs.write', { path: '/workspace/f', content: 'x' });
    const verdict: Verdict = { kind: 'allow', by: 'policy', opinions: [] };
    const signal = new AbortController().signal;
    expect(await codeOf(() => fixture.path.run({ action, verdict, signal }))).toBe('NotAdmitted');
    const read = fixture.build('fs.read', { path: '/workspace/f' });
    // Judged as a read, asked to write.
    expect(await codeOf(() => fixture.run({ ...action, target: read.target }))).toBe('NotAdmitted');
    // What building refused has no path to open.
    expect(await codeOf(() => fixture.run(fixture.build('fs.read', { path: '/workspace/../x' })))).toBe(
      'NotAdmitted',
    );
    expect(await codeOf(() => fixture.run(fixture.build('cmd.run', { command: 'ls' })))).toBe('ToolNotFound');
    expect(existsSync(fixture.at('f'))).toBe(false);
  });

  test.each<[why: string, tool: string, input: JsonObject]>([
    ['an unknown argument', 'fs.read', { path: '/workspace/f', follow: true }],
    ['an unknown encoding', 'fs.read', { path: '/workspace/f', encoding: 'utf16' }],
    ['a negative offset', 'fs.read', { path: '/workspace/f', offset: -1 }],
    ['an offset between bytes', 'fs.read', { path: '/workspace/f', offset: 0.5 }],
    ['an offset beyond whole numbers', 'fs.read', { path: '/workspace/f', offset: 2 ** 60 }],
    ['more than one call may read', 'fs.read', { path: '/workspace/f', length: 2 * MIB }],
    ['nothing to write', 'fs.write', { path: '/workspace/f' }],
    ['content that is no text', 'fs.write', { path: '/workspace/f', content: { a: 1 } }],
    ['content that is not base64', 'fs.write', { path: '/workspace/f', content: 'a b!', encoding: 'base64' }],
    [
      'base64 with more behind its end',
      'fs.write',
      { path: '/workspace/f', content: 'YQ==YQ==', encoding: 'base64' },
    ],
    ['a device', 'fs.create', { path: '/workspace/f', kind: 'device' }],
    ['a folder with content', 'fs.create', { path: '/workspace/d', kind: 'folder', content: 'x' }],
    ['deleting all of it', 'fs.delete', { path: '/workspace', recursive: true }],
    ['more entries than one call may list', 'fs.list', { path: '/workspace', limit: 5000 }],
  ])('refuse %s', async (_why, tool, input) => {
    const fixture = await FilesFixture.open();
    writeFileSync(fixture.at('f'), 'keep');
    expect(await fixture.outcome(tool, input)).toBe('BadRequest');
    expect(readFileSync(fixture.at('f'), 'utf8')).toBe('keep');
  });

  test.each(['fs.write', 'fs.create', 'fs.delete'])('leave the volume itself alone: %s', async (tool) => {
    const fixture = await FilesFixture.open();
    const input = tool === 'fs.delete' ? {} : { content: 'x' };
    expect(await fixture.outcome(tool, { path: '/workspace', ...input })).toBe('Conflict');
    expect(await fixture.outcome('fs.create', { path: '/workspace', kind: 'folder' })).toBe('Conflict');
  });

  test('carry any bytes as base64', async () => {
    const fixture = await FilesFixture.open();
    const bytes = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
    const path = '/workspace/bin';
    await fixture.call('fs.write', { path, content: bytes.toString('base64'), encoding: 'base64' });
    expect(readFileSync(fixture.at('bin')).equals(bytes)).toBe(true);
    expect(await fixture.call('fs.read', { path, encoding: 'base64' })).toMatchObject({
      content: bytes.toString('base64'),
      bytes_read: 256,
    });
    expect(await fixture.outcome('fs.read', { path })).toBe('Unprocessable');
  });

  test('read text piece by piece without cutting a character', async () => {
    const fixture = await FilesFixture.open();
    const text = 'aé€😀'.repeat(50);
    writeFileSync(fixture.at('t'), text);
    for (const length of [4, 5, 7, 11]) {
      let read = '';
      let offset: number | null = 0;
      while (offset !== null) {
        const piece: JsonObject = await fixture.call('fs.read', { path: '/workspace/t', offset, length });
        read += String(piece.content);
        const next: number | null = typeof piece.next_offset === 'number' ? piece.next_offset : null;
        expect(next === null || next > offset).toBe(true);
        offset = next;
      }
      expect(read).toBe(text);
    }
  });

  test('read huge files in pieces, and never more than one piece', async () => {
    const fixture = await FilesFixture.open();
    const size = 5 * 1024 * MIB;
    writeFileSync(fixture.at('huge'), '');
    truncateSync(fixture.at('huge'), size);
    const path = '/workspace/huge';
    expect(await fixture.call('fs.read', { path })).toMatchObject({
      bytes_read: MIB,
      size,
      next_offset: MIB,
    });
    const end = await fixture.call('fs.read', { path, offset: size - 3, encoding: 'base64' });
    expect(end).toMatchObject({ content: 'AAAA', bytes_read: 3, next_offset: null });
    const beyond = await fixture.call('fs.read', { path, offset: Number.MAX_SAFE_INTEGER });
    expect(beyond).toMatchObject({ content: '', bytes_read: 0, next_offset: null });
  });

  test('write large files, and refuse larger ones', async () => {
    const fixture = await FilesFixture.open();
    const path = '/workspace/large';
    const content = 'x'.repeat(16 * MIB);
    expect(await fixture.call('fs.write', { path, content })).toMatchObject({ bytes_written: 16 * MIB });
    expect(statSync(fixture.at('large')).size).toBe(16 * MIB);
    expect(await fixture.outcome('fs.write', { path, content: `${content}x` })).toBe('PayloadTooLarge');
    expect(
      await fixture.outcome('fs.write', { path, content: 'A'.repeat(24 * MIB), encoding: 'base64' }),
    ).toBe('PayloadTooLarge');
  });

  test('list folders of any size, page by page', async () => {
    const fixture = await FilesFixture.open();
    const names = Array.from({ length: 2500 }, (_, index) => `n${String(index).padStart(5, '0')}`);
    mkdirSync(fixture.at('many'));
    for (const name of names) writeFileSync(fixture.at(`many/${name}`), '');
    const found: string[] = [];
    let after: string | null = '';
    while (after !== null) {
      const page: JsonObject = await fixture.call('fs.list', { path: '/workspace/many', after });
      // `as`: the output schema says so.
      const entries = page.entries as readonly { readonly name: string }[];
      expect(entries.length).toBeLessThanOrEqual(1000);
      found.push(...entries.map(({ name }) => name));
      after = typeof page.next === 'string' ? page.next : null;
    }
    expect(found).toEqual(names);
  });

  test('show what a folder holds besides files, and follow none of it', async () => {
    const fixture = await FilesFixture.open();
    const { symlinkSync } = await import('node:fs');
    symlinkSync('/etc/passwd', fixture.at('link'));
    mkdirSync(fixture.at('folder'));
    expect(await fixture.call('fs.list', { path: '/workspace' })).toMatchObject({
      entries: [
        { name: 'folder', kind: 'folder', size: 0 },
        { name: 'link', kind: 'link', size: 0 },
      ],
    });
  });
});

describe('a volume', () => {
  test('that is read-only is read and listed, and nothing else', async () => {
    const fixture = await FilesFixture.open((root) => [volume(root, { mode: 'ro' })]);
    writeFileSync(fixture.at('f'), 'keep');
    const path = '/workspace/f';
    expect(await fixture.outcome('fs.read', { path })).toBe('ok');
    expect(await fixture.outcome('fs.list', { path: '/workspace' })).toBe('ok');
    expect(await fixture.outcome('fs.write', { path, content: 'x' })).toBe('VolumeReadOnly');
    expect(await fixture.outcome('fs.create', { path: '/workspace/g', content: 'x' })).toBe('VolumeReadOnly');
    expect(await fixture.outcome('fs.create', { path: '/workspace/d', kind: 'folder' })).toBe(
      'VolumeReadOnly',
    );
    expect(await fixture.outcome('fs.delete', { path })).toBe('VolumeReadOnly');
    expect(readFileSync(fixture.at('f'), 'utf8')).toBe('keep');
    expect(fixture.path.tools(ACTOR).map(({ tool }) => tool)).toEqual(['fs.read', 'fs.list']);
    expect(fixture.path.knows('fs.write')).toBe(true);
  });

  test('is needed: without one there are no file tools', async () => {
    const fixture = await FilesFixture.open(() => []);
    expect(fixture.path.tools(ACTOR)).toEqual([]);
    expect(fixture.path.knows('fs.read')).toBe(false);
    expect(fixture.path.context('default').cwd).toBe('/');
    expect(await fixture.outcome('fs.read', { path: '/etc/hostname' })).toBe('PathOutsideBoundary');
  });

  test('can be added, changed and taken away while the gateway runs', async () => {
    const fixture = await FilesFixture.open();
    writeFileSync(fixture.at('f'), 'x');
    writeFileSync(fixture.outside('f'), 'other');
    fixture.path.update([
      volume(fixture.root, { mode: 'ro' }),
      volume(fixture.root, { name: 'more', mount: '/more', path: join(fixture.root, 'outside') }),
    ]);
    expect(await fixture.outcome('fs.write', { path: '/workspace/f', content: 'y' })).toBe('VolumeReadOnly');
    expect(await fixture.call('fs.read', { path: '/more/f' })).toMatchObject({ content: 'other' });
    fixture.path.update([]);
    expect(await fixture.outcome('fs.read', { path: '/workspace/f' })).toBe('PathOutsideBoundary');
  });

  test('whose folder is missing says so, and works once it is there', async () => {
    const fixture = await FilesFixture.open((root) => [volume(root, { path: join(root, 'later') })]);
    expect(await fixture.outcome('fs.list', { path: '/workspace' })).toBe('Unavailable');
    mkdirSync(join(fixture.root, 'later'));
    expect(await fixture.outcome('fs.list', { path: '/workspace' })).toBe('ok');
  });

  test('is never one that shares files with the home of the gateway', async () => {
    const fixture = await FilesFixture.open((root) => [volume(root, { path: root })]);
    expect(await fixture.outcome('fs.read', { path: '/workspace/home/operator.token' })).toBe(
      'PathOutsideBoundary',
    );
    expect(await fixture.outcome('fs.list', { path: '/workspace' })).toBe('Unavailable');
  });
});

test('every tool is listed with schemas, and the ones that change something say so', async () => {
  const { path } = await FilesFixture.open();
  const listings = path.tools(ACTOR);
  expect(
    listings.map(({ tool, annotations, inputSchema, outputSchema }) => [
      tool,
      annotations?.readOnlyHint,
      inputSchema.type,
      inputSchema.additionalProperties,
      inputSchema.required,
      outputSchema?.type,
    ]),
  ).toEqual([
    ['fs.read', true, 'object', false, ['path'], 'object'],
    ['fs.list', true, 'object', false, ['path'], 'object'],
    ['fs.write', false, 'object', false, ['path', 'content'], 'object'],
    ['fs.create', false, 'object', false, ['path'], 'object'],
    ['fs.delete', false, 'object', false, ['path'], 'object'],
  ]);
});
