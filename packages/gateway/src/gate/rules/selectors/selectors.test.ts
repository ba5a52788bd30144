import { expect, test } from 'vitest';
import { TypeRegistry } from '../patterns/action-types.ts';
import { parseSelector } from '../selector.ts';
import { definitionOf, SELECTORS } from './selectors.ts';

test.each(Object.entries(SELECTORS))(
  '%s: its example is of its kind, and is told in words',
  (kind, { example }) => {
    const parsed = parseSelector(example, new TypeRegistry([]));
    expect(parsed.ok && parsed.value.kind).toBe(kind);
    if (parsed.ok) expect(definitionOf(parsed.value).describe(parsed.value)).toMatch(/`[^`]+`/);
  },
);

test.each([
  ['*', 'every call of every tool'],
  ['fs.*', 'every call of every tool whose name begins with `fs.`'],
  ['@deploy', 'every action of a type that begins with `deploy:`'],
  ['Read(~/.ssh/**)', 'paths like `~/.ssh/**` that `Read` touches'],
  ['Read(//etc/*)', 'paths like `//etc/*` that `Read` touches'],
  ['http(*.example.com:8443)', 'requests of `http` to every host below `example.com` at port 8443'],
  ['http(GET @known)', 'GET requests of `http` to every host of the list `known`'],
])('%s is about %s', (text, words) => {
  const parsed = parseSelector(text, new TypeRegistry([]));
  if (!parsed.ok) throw new Error(parsed.message);
  expect(definitionOf(parsed.value).describe(parsed.value)).toBe(words);
});
