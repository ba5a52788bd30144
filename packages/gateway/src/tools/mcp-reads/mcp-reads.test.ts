import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { findReadsPreset, parseReadsEntry, READS_PRESET_NAMES } from './index.ts';

/** Where something is written to, or what address is used: never part of a read. */
const TELLING = /^(?:ur[il]s?|file_?name|.*file_?path|output.*|dest.*|save.*|download.*|local_path|.*url)$/i;
/** Names that fit the pattern and say where something is read from. */
const READ_FROM: ReadonlySet<string> = new Set(['file_path', 'destination', 'destinations']);
const CHANGING =
  /(?:^|[_-])(?:create|update|delete|add|set|write|edit|move|push|merge|post|patch|navigate|run|execute)(?:[_-]|$)/;
/** Names that fit the pattern and only read. */
const READING: ReadonlySet<string> = new Set(['API-post-search']);

test.each(READS_PRESET_NAMES)('%s: no tool is both, and no argument says where to write', (name) => {
  const preset = findReadsPreset(name);
  if (preset === undefined) throw new Error('a preset without one');
  expect(preset.tools.filter((tool) => Object.hasOwn(preset.leftOut, tool))).toEqual([]);
  expect(new Set(preset.tools).size).toBe(preset.tools.length);
  expect(preset.arguments.filter((argument) => preset.writesWith.includes(argument))).toEqual([]);
  expect(preset.arguments.filter((argument) => TELLING.test(argument) && !READ_FROM.has(argument))).toEqual(
    [],
  );
  const named = preset.tools.filter((tool) => CHANGING.test(tool) && !READING.has(tool));
  // About runs and requests to merge, which they list and get.
  expect(named.filter((tool) => !/^(?:get|list|search)_/.test(tool))).toEqual([]);
});

test('every server has one preset', () => {
  const servers = READS_PRESET_NAMES.flatMap((name) => findReadsPreset(name)?.servers ?? []);
  expect(new Set(servers).size).toBe(servers.length);
});

test.each([
  '@filesystem',
  '@filesystem/12',
  `@filesystem/${'g'.repeat(32)}`,
  `filesystem/${'0'.repeat(32)}`,
  '',
])('`%s` names no definitions', (text) => {
  expect(parseReadsEntry(text)).toBeUndefined();
});

test('the page lists every preset that counts something', () => {
  const page = readFileSync(new URL('../../../../../docs/mcp-servers.md', import.meta.url), 'utf8');
  const listed = [...page.matchAll(/^\| `([a-z0-9-]+)` \| [`G]/gm)].map(([, name]) => name);
  const counting = READS_PRESET_NAMES.filter((name) => (findReadsPreset(name)?.tools.length ?? 0) > 0);
  expect(listed).toEqual(counting);
});
