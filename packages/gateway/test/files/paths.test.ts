import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Action, PathTarget } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import { codeOf, FilesFixture, volume } from './files-fixture.ts';

const INPUTS = {
  'fs.read': {},
  'fs.list': {},
  'fs.write': { content: 'x' },
  'fs.create': { content: 'x' },
  'fs.delete': {},
} as const;
const TOOLS = Object.keys(INPUTS) as (keyof typeof INPUTS)[];

/** Two volumes, one inside the mount of the other, links of every kind, and a secret outside. */
async function world(): Promise<FilesFixture> {
  const fixture = await FilesFixture.open((root) => [
    volume(root),
    volume(root, { name: 'data', mount: '/workspace/data', path: join(root, 'data') }),
  ]);
  mkdirSync(join(fixture.root, 'data'));
  writeFileSync(join(fixture.root, 'data/d'), 'data');
  writeFileSync(fixture.outside('secret'), 'SECRET');
  mkdirSync(fixture.at('src/deep'), { recursive: true });
  mkdirSync(fixture.at('data'));
  writeFileSync(fixture.at('data/hidden'), 'hidden');
  writeFileSync(fixture.at('src/a'), 'a');
  // None of them leads to a file that this machine needs: a guarantee that breaks must break nothing else.
  const links: Readonly<Record<string, string>> = {
    'link-src': 'src',
    'link-a': 'src/a',
    'link-abs': '/workspace/src/a',
    'link-link': 'link-a',
    'link-new': 'src/new',
    'src/deep/up': '..',
    'link-out': fixture.outside('secret'),
    'link-outdir': fixture.outside(''),
    'link-rel': '../outside/secret',
    'link-root': '/',
    'link-proc': `/proc/self/root${fixture.outside('secret')}`,
    'link-host': fixture.at('src/a'),
    'link-data': 'data/d',
    'link-data-abs': '/workspace/data/d',
    'link-dots': 'src/deep/up/../../../outside/secret',
    'link-sly': 'src/deep/up/../x',
    'link-sly-data': 'src/deep/up/../data/d',
    loop: 'loop',
    'loop-a': 'loop-b',
    'loop-b': 'loop-a',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, fixture.at(name));
  return fixture;
}

/** What building says, or what the executor says although building said nothing. */
async function refusals(fixture: FilesFixture, path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (const tool of TOOLS) found.add(await fixture.outcome(tool, { path, ...INPUTS[tool] }));
  return found;
}

describe('[TO-4] tricks in a path', () => {
  test.each<[path: string, code: string, why: string]>([
    ['/workspace/../outside/secret', 'PathTraversalAttempt', 'up and out'],
    ['/workspace/src/../src/a', 'PathTraversalAttempt', 'up and back: dots are refused wherever they lead'],
    ['/workspace/./src/a', 'PathTraversalAttempt', 'a single dot'],
    ['/workspace/src/a/..', 'PathTraversalAttempt', 'dots at the end'],
    ['..', 'PathTraversalAttempt', 'nothing but dots'],
    ['.', 'PathTraversalAttempt', 'nothing but a dot'],
    ['../workspace/src/a', 'PathTraversalAttempt', 'relative, up'],
    ['/workspace//..//outside/secret', 'PathTraversalAttempt', 'dots between slashes'],
    ['/workspace/link-outdir/../outside/secret', 'PathTraversalAttempt', 'dots behind a link'],
    ['/workspace/src/a\0.png', 'Malformed', 'a NUL byte'],
    ['/workspace/\u0000', 'Malformed', 'nothing but a NUL byte'],
    ['/workspace/a\nb', 'Malformed', 'a line break that forges the question'],
    ['/workspace/\u202egpj.exe', 'Malformed', 'text that runs backwards'],
    ['/workspace/\ud800', 'Malformed', 'half a character'],
    ['/workspace/\ufffd', 'Malformed', 'what is left of bytes that were no text'],
    ['C:\\workspace\\src', 'Malformed', 'another system’s absolute path'],
    ['\\\\host\\share', 'Malformed', 'a network path'],
    ['file:///etc/passwd', 'Malformed', 'a URL'],
    ['~/.ssh/id_ed25519', 'Malformed', 'a tilde that nobody expands'],
    [`/workspace/${'a/'.repeat(3000)}`, 'Malformed', 'longer than a path can be'],
    ['', 'MissingArgument', 'nothing'],
    ['/proc/self/root/tmp/nothing', 'PathOutsideBoundary', 'a place that depends on who opens it'],
    ['/proc/self/fd/3/x', 'PathOutsideBoundary', 'a descriptor of the gateway'],
    ['/dev/fd/3', 'PathOutsideBoundary', 'a descriptor by its other name'],
    ['/tmp/nothing', 'PathOutsideBoundary', 'no volume there'],
    ['/', 'PathOutsideBoundary', 'the root of the agent’s world'],
    ['/workspacex/src/a', 'PathOutsideBoundary', 'a mount’s name continued: borders count'],
    ['/work', 'PathOutsideBoundary', 'half a mount'],
    ['/WORKSPACE/src/a', 'PathOutsideBoundary', 'another case'],
    ['/workspace\u2215src', 'PathOutsideBoundary', 'a slash that only looks like one'],
    [`/workspace/${'d/'.repeat(200)}x`, 'PathOutsideBoundary', 'deeper than anything is looked up'],
  ])('%j is %s: %s', async (path, code) => {
    const fixture = await world();
    const found = await refusals(fixture, path);
    // A path that does not exist this deep ends as what it is: more components than are walked.
    expect(
      [...found].every((one) => one === code || (code === 'PathOutsideBoundary' && one === 'BadRequest')),
    ).toBe(true);
    expect(found.has('ok')).toBe(false);
    expect(readFileSync(fixture.outside('secret'), 'utf8')).toBe('SECRET');
    expect(readdirSync(fixture.outside(''))).toEqual(['secret']);
  });

  test.each<[path: string, why: string]>([
    ['/workspace/%2e%2e/outside/secret', 'percent signs are characters here'],
    ['/workspace/..%2foutside%2fsecret', 'an encoded slash is no slash'],
    ['/workspace/.../secret', 'three dots are a name'],
    ['/workspace/．．/outside/secret', 'dots of another width are a name'],
    ['/workspace/%c0%ae%c0%ae/secret', 'overlong dots, still percent signs'],
    ['/workspace/$HOME/secret', 'nobody expands it'],
    ['/workspace/*/secret', 'nobody expands it either'],
    ['/workspace/~/secret', 'a tilde in the middle is a name'],
  ])('%j is a plain name that does not exist: %s', async (path) => {
    expect(await (await world()).outcome('fs.read', { path })).toBe('NotFound');
  });
});

describe('[GA-7] a path is judged where it leads, and what was judged is opened', () => {
  test.each<[path: string, real: string, content: string]>([
    ['/workspace/link-a', '/workspace/src/a', 'a'],
    ['/workspace/link-src/a', '/workspace/src/a', 'a'],
    ['/workspace/link-abs', '/workspace/src/a', 'a'],
    ['/workspace/link-link', '/workspace/src/a', 'a'],
    ['/workspace/src/deep/up/a', '/workspace/src/a', 'a'],
    ['/workspace/src/deep/up/deep/up/a', '/workspace/src/a', 'a'],
    ['//workspace///src//a', '/workspace/src/a', 'a'],
    ['src/a', '/workspace/src/a', 'a'],
    ['link-a', '/workspace/src/a', 'a'],
    ['/workspace/data/d', '/workspace/data/d', 'data'],
    ['data/d', '/workspace/data/d', 'data'],
  ])('%s is %s', async (path, real, content) => {
    const fixture = await world();
    expect(realOf(fixture.build('fs.read', { path }))).toBe(real);
    expect(await fixture.call('fs.read', { path })).toMatchObject({ content });
  });

  test('a link to what does not exist yet is judged, and written, where it leads', async () => {
    const fixture = await world();
    const input = { path: '/workspace/link-new', content: 'new' };
    expect(realOf(fixture.build('fs.write', input))).toBe('/workspace/src/new');
    await fixture.call('fs.write', input);
    expect(readFileSync(fixture.at('src/new'), 'utf8')).toBe('new');
  });

  test.each([
    'link-out',
    'link-outdir/secret',
    'link-outdir',
    'link-rel',
    'link-root/tmp',
    'link-root',
    'link-proc',
    'link-host',
    'link-data',
    'link-data-abs',
    'loop',
    'loop-a',
    'loop/x',
  ])('a link that leaves its volume is refused before anyone is asked: %s', async (name) => {
    const fixture = await world();
    const found = await refusals(fixture, `/workspace/${name}`);
    expect([...found]).toEqual(['PathOutsideBoundary']);
    expect(fixture.build('fs.read', { path: `/workspace/${name}` }).target.problem?.code).toBe(
      'PathOutsideBoundary',
    );
    expect(readdirSync(fixture.outside(''))).toEqual(['secret']);
  });

  test('a link that leaves by a way that only walking shows is refused by the executor', async () => {
    const fixture = await world();
    // Read as text they stay inside; walked, `..` is above where `up` leads.
    for (const path of ['/workspace/link-dots', '/workspace/link-sly-data']) {
      expect(fixture.build('fs.read', { path }).target.problem).toBeUndefined();
      expect([...(await refusals(fixture, path))]).toEqual(['PathOutsideBoundary']);
    }
    await fixture.call('fs.write', { path: '/workspace/link-sly', content: 'x' });
    expect(existsSync(fixture.at('x'))).toBe(true);
  });

  test.each(TOOLS)('a link that appears between judging and opening is refused: %s', async (tool) => {
    const fixture = await world();
    writeFileSync(fixture.at('src/deep/f'), 'inside');
    writeFileSync(fixture.outside('f'), 'OUTSIDE');
    const action = fixture.build(tool, { path: '/workspace/src/deep/f', ...INPUTS[tool] });
    rmSync(fixture.at('src/deep'), { recursive: true });
    symlinkSync(fixture.outside(''), fixture.at('src/deep'));
    expect(await codeOf(() => fixture.run(action))).toBe('PathOutsideBoundary');
    const last = fixture.build(tool, { path: '/workspace/src/a', ...INPUTS[tool] });
    rmSync(fixture.at('src/a'));
    symlinkSync(fixture.outside('f'), fixture.at('src/a'));
    expect(await codeOf(() => fixture.run(last))).toBe('PathOutsideBoundary');
    expect(readFileSync(fixture.outside('f'), 'utf8')).toBe('OUTSIDE');
  });

  test('a mount covers what the volume around it has at that name', async () => {
    const fixture = await world();
    expect(await fixture.outcome('fs.read', { path: '/workspace/data/hidden' })).toBe('NotFound');
    await fixture.call('fs.write', { path: '/workspace/data/new', content: 'x' });
    expect(existsSync(join(fixture.root, 'data/new'))).toBe(true);
    expect(existsSync(fixture.at('data/new'))).toBe(false);
  });

  test('many links are not followed for ever', async () => {
    const fixture = await world();
    for (let index = 0; index < 60; index += 1)
      symlinkSync(`chain-${index + 1}`, fixture.at(`chain-${index}`));
    writeFileSync(fixture.at('chain-60'), 'end');
    expect(await fixture.outcome('fs.read', { path: '/workspace/chain-0' })).toBe('PathOutsideBoundary');
    expect(await fixture.outcome('fs.read', { path: '/workspace/chain-30' })).toBe('ok');
  });
});

function realOf({ target }: Action): string | undefined {
  return target.kind === 'path' ? (target satisfies PathTarget).paths[0]?.real : undefined;
}
