import { mkdir, mkdtemp, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SallyportError } from '@sallyport/protocol';
import { waitFor } from '@sallyport/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type LoadedConfig, loadConfig, watchConfig } from '../../src/config/index.ts';

interface Watched {
  readonly folder: string;
  readonly loaded: LoadedConfig[];
  readonly rejected: SallyportError[];
  readonly watch: ReturnType<typeof watchConfig>;
  write(name: string, text: string): Promise<void>;
  /** Waits for a config with this level. */
  level(level: string): Promise<void>;
}

async function watched(main: string): Promise<Watched> {
  const folder = await mkdtemp(join(tmpdir(), 'sallyport-watch-'));
  const file = join(folder, 'sallyport.yaml');
  await writeFile(file, main);
  const loaded: LoadedConfig[] = [];
  const rejected: SallyportError[] = [];
  const watch = watchConfig({
    file,
    env: {},
    current: loadConfig({ file, env: {} }),
    onLoaded: (config) => loaded.push(config),
    onRejected: (error) => rejected.push(error),
  });
  onTestFinished(async () => {
    await watch.close();
    await rm(folder, { recursive: true, force: true });
  });
  await watch.ready;
  return {
    folder,
    loaded,
    rejected,
    watch,
    write: (name, text) => writeFile(join(folder, name), text),
    level: (level) =>
      waitFor(`the level ${level}`, () => expect(loaded.at(-1)?.config.log.level).toBe(level)),
  };
}

test('a change is in force, also when an editor puts a new file in place of the old one', async () => {
  const { folder, write, level, loaded } = await watched('log: { level: info }\n');
  await write('sallyport.yaml', 'log: { level: warn }\n');
  await level('warn');
  await write('new.tmp', 'log: { level: fatal }\n');
  await rename(join(folder, 'new.tmp'), join(folder, 'sallyport.yaml'));
  await level('fatal');
  // An older file of the same length, as `mv backup.yaml sallyport.yaml` brings it back.
  await write('old.tmp', 'log: { level: trace }\n');
  await utimes(join(folder, 'old.tmp'), 1, 1);
  await rename(join(folder, 'old.tmp'), join(folder, 'sallyport.yaml'));
  await level('trace');
  expect(loaded).toHaveLength(3);
});

test('a change that is not valid is refused once, and the next good one is taken', async () => {
  const { write, level, loaded, rejected, watch } = await watched('log: { level: info }\n');
  await write('sallyport.yaml', 'log: { levle: warn }\n');
  await waitFor('the config to be rejected', () => expect(rejected).toHaveLength(1));
  expect(rejected[0]).toMatchObject({ code: 'ConfigInvalid' });
  expect(loaded).toEqual([]);
  expect(watch.reload()).toBe('same');
  await write('sallyport.yaml', 'log: { level: warn }\n');
  await level('warn');
  expect(rejected).toHaveLength(1);
});

test('a file that vanishes is refused, and taken again when it is back', async () => {
  const { folder, write, level, rejected } = await watched('log: { level: info }\n');
  await rm(join(folder, 'sallyport.yaml'));
  await waitFor('the missing file to be told', () =>
    expect(rejected.at(-1)?.message).toMatch(/no such file/),
  );
  await write('sallyport.yaml', 'log: { level: error }\n');
  await level('error');
});

test('a new file that an include matches is taken, also in a folder that was not there', async () => {
  const { folder, write, level, loaded } = await watched('include: ["p/*.yaml"]\n');
  await mkdir(join(folder, 'p'));
  await write('p/a.yaml', 'log: { level: warn }\n');
  await level('warn');
  await write('p/a.yaml', 'log: { level: error }\n');
  await level('error');
  await rm(join(folder, 'p/a.yaml'));
  await level('info');
  expect(loaded).toHaveLength(3);
});

test('an include that is added is followed from then on', async () => {
  const { folder, write, level } = await watched('log: {}\n');
  await mkdir(join(folder, 'q'));
  await write('q/a.yaml', 'log: { level: warn }\n');
  await write('sallyport.yaml', 'include: [q/a.yaml]\n');
  await level('warn');
  await write('q/a.yaml', 'log: { level: debug }\n');
  await level('debug');
});

test('a config behind links that are swapped is followed', async () => {
  const { folder, write, level } = await watched('log: { level: info }\n');
  for (const [version, word] of [
    ['v1', 'warn'],
    ['v2', 'error'],
  ] as const) {
    await mkdir(join(folder, version));
    await write(`${version}/c.yaml`, `log: { level: ${word} }\n`);
  }
  await symlink('v1', join(folder, 'data'));
  await symlink('data/c.yaml', join(folder, 'link'));
  await rename(join(folder, 'link'), join(folder, 'sallyport.yaml'));
  await level('warn');
  await symlink('v2', join(folder, 'data.tmp'));
  await rename(join(folder, 'data.tmp'), join(folder, 'data'));
  await level('error');
});

test('the same content and foreign files do nothing', async () => {
  const { folder, write, level, loaded, rejected, watch } = await watched('log: { level: info }\n');
  await write('sallyport.yaml', 'log: { level: info }\n');
  await utimes(join(folder, 'sallyport.yaml'), new Date(), new Date());
  await write('sallyport.db', 'x');
  await write('other.yaml', 'broken: [');
  expect(watch.reload()).toBe('same');
  // Something that does count comes after, so that what came before had its chance.
  await write('sallyport.yaml', 'log: { level: warn }\n');
  await level('warn');
  expect(loaded).toHaveLength(1);
  expect(rejected).toEqual([]);
});

test('reload by hand judges at once, and after close nothing is judged any more', async () => {
  const { write, loaded, rejected, watch } = await watched('log: { level: info }\n');
  await write('sallyport.yaml', 'log: { level: warn }\n');
  expect(watch.reload()).toBe('loaded');
  await write('sallyport.yaml', 'log: { level: wran }\n');
  expect(watch.reload()).toBe('rejected');
  await watch.close();
  expect([loaded.length, rejected.length]).toEqual([1, 1]);
});
