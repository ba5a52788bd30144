import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readPack } from './pack-ancestry.ts';
import { changesPipelines, isCiFile } from './pipelines.ts';

const real = requireEngine('git');
let folder: string;
let base: string;

const git = (input: string, ...args: string[]): Buffer =>
  execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.example', ...args], {
    cwd: folder,
    input,
    env: { PATH: process.env.PATH ?? '', HOME: folder, GIT_CONFIG_NOSYSTEM: '1' },
    stdio: ['pipe', 'pipe', 'ignore'],
    maxBuffer: 1e8,
  });

const WORKFLOW = 'name: ci\non:\n  push:\njobs:\n  a:\n    runs-on: x\n';

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** The pack that git sends for one commit on top of what the server has. */
function packOf(files: Readonly<Record<string, string>>, ...options: string[]): Uint8Array {
  git('', 'checkout', '-qf', '--detach', base);
  write(files);
  git('', 'add', '-A');
  git('', 'commit', '-qm', 'x');
  return new Uint8Array(git(`HEAD\n^${base}\n`, 'pack-objects', '--revs', '--stdout', '-q', ...options));
}

const changes = (pack: Uint8Array): boolean => changesPipelines(readPack(pack, 'sha1'));

/** Without git there is nothing to make packs with. */
const makeBase = (): void => {
  folder = mkdtempSync(join(tmpdir(), 'pipelines-'));
  git('', 'init', '-q');
  const many = Array.from({ length: 40 }, (_, index) => [
    `src/file${index}.ts`,
    `export const a = ${index};\n`,
  ]);
  write({ ...Object.fromEntries(many), '.github/workflows/ci.yml': WORKFLOW, 'README.md': 'a\n' });
  git('', 'add', '-A');
  git('', 'commit', '-qm', 'base');
  base = git('', 'rev-parse', 'HEAD').toString('utf8').trim();
};

describe.skipIf(real.missing)(`[GA-15] a pack of git itself (${real.install})`, () => {
  beforeAll(makeBase);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test.each([
    ['a new workflow', { '.github/workflows/evil.yml': WORKFLOW.replace('name: ci', 'name: evil') }],
    ['a changed workflow', { '.github/workflows/ci.yml': `${WORKFLOW}  b:\n    runs-on: y\n` }],
    ['another system', { '.gitlab-ci.yml': 'a:\n  script: b\n' }],
    ['a folder of another system', { '.circleci/config.yml': 'version: 2\n' }],
    ['who reviews', { '.github/CODEOWNERS': '* @eve\n' }],
  ])('shows %s', (_, files) => {
    expect(changes(packOf(files))).toBe(true);
  });

  test.each(['--thin', '--delta-base-offset'])('shows a new workflow also with %s', (option) => {
    const files = { '.github/workflows/evil.yml': WORKFLOW.replace('name: ci', 'name: evil') };
    expect(changes(packOf(files, option))).toBe(true);
  });

  test.each([
    ['a file', { 'src/file1.ts': 'export const a = 2;\n' }],
    ['a file of the root', { 'README.md': 'b\n' }],
    ['a folder of the same name elsewhere', { 'docs/.github/x.md': 'a\n' }],
  ])('is no pipeline: %s', (why, files) => {
    const expected = why.includes('elsewhere');
    // Which folder a tree is cannot be told, so a `.github` anywhere counts.
    expect(changes(packOf(files))).toBe(expected);
    expect(changes(packOf(files, '--thin'))).toBe(expected);
  });

  test('that is cut, or none, shows nothing and breaks nothing', () => {
    const pack = packOf({ '.gitlab-ci.yml': 'a:\n' });
    for (let end = 0; end < pack.length; end += 7) expect(() => changes(pack.subarray(0, end))).not.toThrow();
    expect(changes(new Uint8Array())).toBe(false);
    expect(changes(Buffer.from('PACK and then nothing of the kind'))).toBe(false);
  });
});

describe('a file that says what pipelines run', () => {
  test.each([
    ['.github/workflows/a.yml', true],
    ['.github/CODEOWNERS', true],
    ['./.github/a', true],
    ['//.github/a', true],
    ['.GITHUB/a', true],
    ['.gitlab-ci.yml', true],
    ['sub/.gitlab-ci.yaml', true],
    ['.circleci/config.yml', true],
    ['Jenkinsfile', true],
    ['ci/Jenkinsfile.release', true],
    ['azure-pipelines-release.yml', true],
    ['.travis.yml', true],
    ['buildspec.yml', true],
    [undefined, true],
    ['src/../.github/workflows/a.yml', true],
    ['src/./a', true],
    ['src//a', true],
    ['src\\a', true],
    ['src/..', true],
    ['src/.hidden/a', false],
    ['src/...', false],
    ['github/workflows/a.yml', false],
    ['docs/.github.md', false],
    ['src/jenkins.ts', false],
    ['README.md', false],
  ])('%s: %s', (path, expected) => expect(isCiFile(path)).toBe(expected));
});
