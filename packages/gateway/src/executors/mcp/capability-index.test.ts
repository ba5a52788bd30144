import { expect, test } from 'vitest';
import { CapabilityIndex } from './capability-index.ts';

const index = new CapabilityIndex([
  { name: 'search', capabilities: ['web.search', 'web.*'] },
  { name: 'fetcher', capabilities: ['web.fetch', 'web.deep.*', 'web.search'] },
]);

test.each([
  { tool: 'web.fetch', owner: 'fetcher', why: 'an exact name comes before a prefix' },
  { tool: 'web.search', owner: 'search', why: 'the first owner keeps it' },
  { tool: 'web.other', owner: 'search', why: 'a prefix' },
  { tool: 'web.a.b.c', owner: 'search', why: 'a prefix is about everything below it' },
  { tool: 'web.deep.x', owner: 'fetcher', why: 'the longest prefix counts' },
  { tool: 'website.open', owner: undefined, why: 'only on a dot border' },
  { tool: 'web', owner: undefined, why: 'a prefix is not about itself' },
  { tool: 'web.', owner: undefined, why: 'nothing is below an empty name' },
  { tool: 'xweb.fetch', owner: undefined, why: 'not in the middle' },
  { tool: 'Web.fetch', owner: undefined, why: 'names are case-sensitive' },
  { tool: 'web.*', owner: 'search', why: 'a star is a name like any other to whoever asks' },
  { tool: '', owner: undefined, why: 'nothing' },
  { tool: '.fetch', owner: undefined, why: 'nothing before the dot' },
])('$tool belongs to $owner: $why', ({ tool, owner }) => {
  expect(index.ownerOf(tool)).toBe(owner);
});
