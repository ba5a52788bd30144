import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { runInNewContext } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildSite, slugOf } from './build-site.ts';

let folder = '';
let broken: readonly string[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'site-'));
  broken = buildSite(folder);
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe('the site', () => {
  test('has no link that leads nowhere, and none to an anchor that is not there', () => {
    expect(broken).toEqual([]);
    const pages = new Map<string, string>();
    const read = (path: string): string => {
      const known = pages.get(path) ?? readFileSync(join(folder, path), 'utf8');
      pages.set(path, known);
      return known;
    };
    const lost: string[] = [];
    for (const from of [
      'index.html',
      'docs/index.html',
      'docs/tutorial.html',
      'docs/run.html',
      'docs/sandbox.html',
    ]) {
      for (const [, href = ''] of read(from).matchAll(/<a href="((?!https?:)[^"]+)"/g)) {
        const [file = '', hash] = href.split('#');
        const to = file === '' ? from : posix.normalize(posix.join(posix.dirname(from), file));
        if (!to.endsWith('.html')) continue;
        const page = read(to);
        if (hash !== undefined && !page.includes(`id="${hash}"`)) lost.push(`${from}: ${href}`);
      }
    }
    expect(lost).toEqual([]);
  });

  test('asks nothing of the network', () => {
    const page = readFileSync(join(folder, 'docs/index.html'), 'utf8');
    expect(page).not.toMatch(/<(?:script|link|img)[^>]+(?:src|href)="(?:https?:)?\/\//);
  });

  test('is searched offline: all words, titles first', () => {
    const shown: string[] = [];
    const element = () => ({ append() {}, replaceChildren: () => shown.splice(0), dataset: { up: '.' } });
    const field = {
      ...element(),
      value: '',
      addEventListener(_: string, run: () => void) {
        field.run = run;
      },
      run: () => {},
    };
    const link = () =>
      Object.defineProperty(element(), 'href', { set: (href: string) => void shown.push(href) });
    const document = {
      getElementById: (id: string) => (id === 'search' ? field : element()),
      createElement: (name: string) => (name === 'a' ? link() : element()),
    };
    runInNewContext(readFileSync(join(folder, 'search.js'), 'utf8'), { document });
    const search = (words: string): readonly string[] => {
      shown.splice(0);
      field.value = words;
      field.run();
      return [...shown];
    };
    expect(search('tutorial')[0]).toBe('./docs/tutorial.html');
    expect(search('telegram token')).toContain('./docs/approvals.html');
    expect(search('zzznothing')).toEqual([]);
  });

  test.each([
    ['What is guarded', 'what-is-guarded'],
    ['`run` & its flags: a, b', 'run--its-flags-a-b'],
  ])('names a heading as GitHub does: %s', (heading, slug) => expect(slugOf(heading)).toBe(slug));
});
