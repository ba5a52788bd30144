import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createFilesPath } from '../../src/executors/index.ts';
import { FilesFixture, volume } from './files-fixture.ts';

const open = (quota_bytes: number) => FilesFixture.open((root) => [volume(root, { quota_bytes })]);
const write = (fixture: FilesFixture, name: string, bytes: number) =>
  fixture.outcome('fs.write', { path: `/workspace/${name}`, content: 'x'.repeat(bytes) });

function held(fixture: FilesFixture): number {
  return readdirSync(fixture.at('')).reduce((sum, name) => sum + statSync(fixture.at(name)).size, 0);
}

describe('the quota of a volume', () => {
  test('is held to the byte, and what is refused changes nothing', async () => {
    const fixture = await open(1000);
    expect(await write(fixture, 'a', 600)).toBe('ok');
    expect(await write(fixture, 'b', 400)).toBe('ok');
    expect(await write(fixture, 'c', 1)).toBe('QuotaExceeded');
    expect(await write(fixture, 'a', 601)).toBe('QuotaExceeded');
    expect(statSync(fixture.at('a')).size).toBe(600);
    expect(await write(fixture, 'empty', 0)).toBe('ok');
    expect(readdirSync(fixture.at('')).sort()).toEqual(['a', 'b', 'empty']);
  });

  test('counts what a file grows, not what it is: a full volume can be rewritten', async () => {
    const fixture = await open(1000);
    expect(await write(fixture, 'a', 1000)).toBe('ok');
    for (let round = 0; round < 5; round += 1) expect(await write(fixture, 'a', 1000)).toBe('ok');
    expect(await write(fixture, 'a', 10)).toBe('ok');
    expect(await write(fixture, 'b', 990)).toBe('ok');
  });

  test('gives back what is deleted', async () => {
    const fixture = await open(1000);
    await write(fixture, 'a', 1000);
    expect(await write(fixture, 'b', 1)).toBe('QuotaExceeded');
    await fixture.call('fs.delete', { path: '/workspace/a' });
    expect(await write(fixture, 'b', 1000)).toBe('ok');
  });

  test('counts what was there before the gateway started, and what the sandbox wrote and removed since', async () => {
    const fixture = await open(1000);
    writeFileSync(fixture.at('before'), 'x'.repeat(700));
    expect(await write(fixture, 'a', 301)).toBe('QuotaExceeded');
    expect(await write(fixture, 'a', 300)).toBe('ok');
    rmSync(fixture.at('before'));
    expect(await write(fixture, 'b', 700)).toBe('ok');
    rmSync(fixture.at('b'));
    await write(fixture, 'c', 1);
    writeFileSync(fixture.at('sandbox'), 'x'.repeat(699));
    fixture.clock.advance(61_000);
    expect(await write(fixture, 'd', 1)).toBe('QuotaExceeded');
  });

  test('survives a restart', async () => {
    const fixture = await open(1000);
    await write(fixture, 'a', 900);
    const { root, trail, clock } = fixture;
    using path = createFilesPath({
      volumes: [volume(root, { quota_bytes: 1000 })],
      trail,
      home: `${root}/home`,
      clock,
    });
    const restarted = Object.assign(Object.create(fixture), { path });
    expect(await write(restarted, 'b', 101)).toBe('QuotaExceeded');
    expect(await write(restarted, 'b', 100)).toBe('ok');
  });

  test('holds with 100 writers at once: new files', async () => {
    const fixture = await open(1000);
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => write(fixture, `f${index}`, 100)),
    );
    expect(results.filter((result) => result === 'ok')).toHaveLength(10);
    expect(results.filter((result) => result === 'QuotaExceeded')).toHaveLength(90);
    expect(held(fixture)).toBe(1000);
  });

  test('holds with 100 writers at once: one file, some longer, some shorter', async () => {
    const fixture = await open(1000);
    await write(fixture, 'other', 500);
    for (let round = 0; round < 3; round += 1) {
      const results = await Promise.all(
        Array.from({ length: 100 }, (_, index) => write(fixture, 'same', (index * 37) % 700)),
      );
      expect(new Set(results).has('ok')).toBe(true);
      expect(held(fixture)).toBeLessThanOrEqual(1000);
    }
    // What is counted is what is there: exactly the rest fits, not a byte more.
    const rest = 1000 - held(fixture);
    expect(await write(fixture, 'rest', rest + 1)).toBe('QuotaExceeded');
    expect(await write(fixture, 'rest', rest)).toBe('ok');
  });

  test('holds with 100 writers and deleters at once', async () => {
    const fixture = await open(1000);
    const jobs = Array.from({ length: 100 }, (_, index) =>
      index % 3 === 0
        ? fixture.outcome('fs.delete', { path: `/workspace/f${index % 7}` })
        : write(fixture, `f${index % 7}`, 150 + index),
    );
    await Promise.all(jobs);
    expect(held(fixture)).toBeLessThanOrEqual(1000);
    const rest = 1000 - held(fixture);
    expect(await write(fixture, 'rest', rest + 1)).toBe('QuotaExceeded');
    expect(await write(fixture, 'rest', rest)).toBe('ok');
  });

  test('a volume that is over it can only become smaller', async () => {
    const fixture = await open(1000);
    writeFileSync(fixture.at('big'), 'x'.repeat(5000));
    expect(await write(fixture, 'a', 1)).toBe('QuotaExceeded');
    expect(await write(fixture, 'big', 4000)).toBe('ok');
    expect(await write(fixture, 'big', 4001)).toBe('QuotaExceeded');
    expect(await write(fixture, 'big', 10)).toBe('ok');
    expect(await write(fixture, 'a', 1)).toBe('ok');
  });

  test('without one nothing is counted', async () => {
    const fixture = await FilesFixture.open();
    const results = await Promise.all(
      Array.from({ length: 100 }, (_, index) => write(fixture, `f${index}`, 1000)),
    );
    expect(new Set(results)).toEqual(new Set(['ok']));
    expect(readdirSync(fixture.at(''))).toHaveLength(100);
  });
});

test('100 writers of one file at once leave one of their texts, whole', async () => {
  const fixture = await FilesFixture.open();
  const texts = Array.from({ length: 100 }, (_, index) => `${index} `.repeat(1000));
  await Promise.all(texts.map((content) => fixture.call('fs.write', { path: '/workspace/f', content })));
  expect(texts).toContain(readFileSync(fixture.at('f'), 'utf8'));
  expect(readdirSync(fixture.at(''))).toEqual(['f']);
});
