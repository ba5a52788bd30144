import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { load, reported, writeFiles } from './load-config.fixture.ts';
import { loadConfig } from './load-config.ts';
import { matchesSegment } from './source/include-pattern.ts';

describe('include', () => {
  test('merges maps deeply and appends lists after the main file, in order of names', () => {
    const { config, files, at } = load({
      'sallyport.yaml':
        'include: [policies/*.yaml]\nroles: { r: { allow: [tool:A] } }\nlog: { level: warn }\n',
      'policies/b.yaml': 'roles: { r: { allow: [tool:C] } }\nlog: { level: warn }\n',
      'policies/a.yaml': 'roles: { r: { allow: [tool:B] }, s: {} }\nsessions: { max_live: 3 }\n',
      'policies/.hidden.yaml': 'broken: [\n',
      'policies/notes.txt': 'broken: [\n',
    });
    expect(config.roles.r?.allow).toEqual(['tool:A', 'tool:B', 'tool:C']);
    expect(Object.keys(config.roles)).toEqual(['r', 's']);
    expect(config.sessions.max_live).toBe(3);
    expect(config.include).toEqual(['policies/*.yaml']);
    expect(files.map((file) => file.split('/').slice(-1)[0])).toEqual(['sallyport.yaml', 'a.yaml', 'b.yaml']);
    expect(at(['roles', 'r', 'allow', 2])).toEqual({ file: 'policies/b.yaml', line: 1, column: 23 });
  });

  test('reaches files of included files, relative to the one that names them', () => {
    const { config } = load({
      'sallyport.yaml': 'include: [a/one.yaml]\n',
      'a/one.yaml': 'include: [deep/two.yaml]\n',
      'a/deep/two.yaml': 'log: { level: error }\n',
    });
    expect(config.log.level).toBe('error');
  });

  test('reads a file once that is named twice, and leaves out the main file under a star', () => {
    const { config, files } = load({
      'sallyport.yaml': 'include: [a.yaml, "*.yaml", ./a.yaml]\nroles: { r: { allow: [tool:M] } }\n',
      'a.yaml': 'roles: { r: { allow: [tool:A] } }\n',
    });
    expect(config.roles.r?.allow).toEqual(['tool:M', 'tool:A']);
    expect(files).toHaveLength(2);
  });

  test('accepts a star that matches nothing, and a folder that is not there yet', () => {
    expect(load('include: ["policies/*.yaml", "*.nothing"]\n').files).toHaveLength(1);
  });

  test('fills a key that has nothing under it', () => {
    const files = { 'sallyport.yaml': 'include: [a.yaml]\nlog:\n', 'a.yaml': 'log: { level: debug }\n' };
    expect(load(files).config.log.level).toBe('debug');
  });

  test.each([
    {
      why: 'two values for one key',
      files: {
        'sallyport.yaml': 'include: [a.yaml]\nlog: { level: warn }\n',
        'a.yaml': 'log:\n  level: info\n',
      },
      expected: 'a.yaml:2:3 key `level` is set here and in sallyport.yaml:2:8 | keep one of them',
    },
    {
      why: 'a map and a list under one key',
      files: { 'sallyport.yaml': 'include: [a.yaml]\nlog: {}\n', 'a.yaml': 'log: []\n' },
      expected: 'a.yaml:1:1 key `log` is set here and in sallyport.yaml:2:1 | keep one of them',
    },
    {
      why: 'a file that is not there',
      files: { 'sallyport.yaml': 'include:\n  - a.yaml\n' },
      expected: 'sallyport.yaml:2:5 `a.yaml`: no such file | check the path',
    },
    {
      why: 'a file that includes itself',
      files: { 'sallyport.yaml': 'include: [sallyport.yaml]\n' },
      expected: 'sallyport.yaml:1:11 `sallyport.yaml` includes itself | remove the line',
    },
    {
      why: 'two files that include each other',
      files: { 'sallyport.yaml': 'include: [a.yaml]\n', 'a.yaml': 'include: [sallyport.yaml]\n' },
      expected: 'a.yaml:1:11 `sallyport.yaml` includes itself | remove the line',
    },
    {
      why: 'an absolute path',
      files: { 'sallyport.yaml': 'include: [/etc/passwd]\n' },
      expected: /^sallyport.yaml:1:11 `\/etc\/passwd` leads out of the folder/,
    },
    {
      why: 'a climb',
      files: { 'sallyport.yaml': 'include: [a/../../x.yaml]\n' },
      expected: /^sallyport.yaml:1:11 `a\/..\/..\/x.yaml` leads out of the folder/,
    },
    {
      why: 'a double star',
      files: { 'sallyport.yaml': 'include: ["**/*.yaml"]\n' },
      expected: /is no include pattern/,
    },
    {
      why: 'no list',
      files: { 'sallyport.yaml': 'include: a.yaml\n' },
      expected: 'sallyport.yaml:1:10 expected a list, found `a.yaml`',
    },
    {
      why: 'a problem inside an included file',
      files: { 'sallyport.yaml': 'include: [p/a.yaml]\n', 'p/a.yaml': 'log:\n  levle: info\n' },
      expected: 'p/a.yaml:2:3 unknown key `levle` | did you mean `level`?',
    },
    {
      why: 'broken YAML inside an included file',
      files: { 'sallyport.yaml': 'include: [a.yaml]\n', 'a.yaml': 'log:\n\tlevel: info\n' },
      expected: 'a.yaml:2:1 a tab cannot indent | use spaces',
    },
  ])('refuses $why', ({ files, expected }) => {
    // Typed apart, because the rows have different files.
    const [first] = reported(files as Readonly<Record<string, string>>);
    if (typeof expected === 'string') expect(first).toBe(expected);
    else expect(first).toMatch(expected);
  });

  test('refuses a chain of files that never ends, and more files than a config has', () => {
    const chain: Record<string, string> = { 'sallyport.yaml': 'include: [0.yaml]\n' };
    for (let index = 0; index < 20; index += 1) chain[`${index}.yaml`] = `include: [${index + 1}.yaml]\n`;
    expect(reported(chain)[0]).toMatch(/include each other more than 8 deep/);

    const many: Record<string, string> = { 'sallyport.yaml': 'include: ["m/*.yaml"]\n' };
    for (let index = 0; index < 300; index += 1) many[`m/${index}.yaml`] = 'log: {}\n';
    expect(reported(many)[0]).toMatch(/more than 256 files/);
  });

  test('refuses a link that leads out of the folder, follows one that stays inside', () => {
    const outside = writeFiles({ 'evil.yaml': 'log: { level: debug }\n' });
    const folder = writeFiles({ 'sallyport.yaml': 'include: ["p/*.yaml"]\n', 'real/a.yaml': 'log: {}\n' });
    mkdirSync(join(folder, 'p'));
    symlinkSync('../real/a.yaml', join(folder, 'p/a.yaml'));
    const file = join(folder, 'sallyport.yaml');
    expect(loadConfig({ file, env: {} }).files).toHaveLength(2);
    symlinkSync(join(outside, 'evil.yaml'), join(folder, 'p/z.yaml'));
    expect(() => loadConfig({ file, env: {} })).toThrow(/is a link out of the folder of the config/);
  });
});

test.each([
  { segment: 'a.yaml', name: 'a.yaml', expected: true, why: 'no star' },
  { segment: '*', name: 'a', expected: true, why: 'any name' },
  { segment: '*.yaml', name: 'a.yaml', expected: true, why: 'an ending' },
  { segment: '*.yaml', name: '.a.yaml', expected: false, why: 'hidden files are not meant' },
  { segment: '*.yaml', name: 'a.yaml~', expected: false, why: 'a backup of an editor' },
  { segment: 'a*a', name: 'a', expected: false, why: 'both ends need a letter of their own' },
  { segment: 'a*b*c', name: 'abbc', expected: true, why: 'two stars' },
  { segment: 'a*b*c', name: 'acb', expected: false, why: 'wrong order' },
  { segment: 'a*bc*c', name: 'abc', expected: false, why: 'the middle may not overlap the end' },
])('a segment $segment and a name $name: $why', ({ segment, name, expected }) => {
  expect(matchesSegment(segment, name)).toBe(expected);
});
