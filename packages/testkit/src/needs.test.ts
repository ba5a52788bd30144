import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, test, vi } from 'vitest';
import { ENGINES, requireEngine, requirePartner, requireTools } from './needs.ts';

afterEach(() => vi.unstubAllEnvs());

test('what is missing is skipped by a name that says what to type, and is a failure where everything must run', () => {
  vi.stubEnv('PATH', '/nonexistent');
  vi.stubEnv('SALLYPORT_CACHE', '/nonexistent');
  vi.stubEnv('SALLYPORT_TEST_ALL', '');
  expect(requireEngine('git', 'curl')).toEqual({
    missing: true,
    install: 'apt-get install git, apt-get install curl',
  });
  expect(requirePartner('codex')).toMatchObject({ missing: true, install: 'npm run test:setup' });
  vi.stubEnv('SALLYPORT_TEST_ALL', '1');
  expect(() => requireEngine('git', 'curl')).toThrow('git is missing: install it with `apt-get install git`');
  expect(() => requireTools('mcp')).toThrow('tools/mcp is missing: install it with `npm run test:setup`');
  expect(() => requirePartner('codex')).toThrow('tools/partners is missing');
});

test('Postgres is there wherever `npm ci` ran on a platform that it is published for', () => {
  vi.stubEnv('PATH', '/nonexistent');
  const isPublished = ['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(
    `${process.platform}-${process.arch}`,
  );
  expect(requireEngine('postgres').missing).toBe(!isPublished);
});

test('`npm run test:setup` brings every engine that must be there when everything runs', () => {
  const setup = readFileSync(join(import.meta.dirname, '../../../scripts/test-setup.sh'), 'utf8');
  const packages = Object.values(ENGINES)
    .filter((engine) => !('isOptional' in engine) && engine.install.startsWith('apt-get'))
    .flatMap(({ install }) => install.replace('apt-get install ', '').split(' '));
  expect(packages.length).toBeGreaterThan(8);
  for (const name of packages)
    expect(setup, name).toMatch(new RegExp(`^need \\S+ ${name}$|missing\\+=\\(${name}\\)`, 'm'));
});
