import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { requireEngine } from '@sallyport/testkit/needs';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { gitEntries } from './git-entries.ts';
import { type GitView, readRepository } from './git-view.ts';
import { type PushTarget, pushTarget } from './push-target.ts';

const real = requireEngine('git');
const withGit = test.skipIf(real.missing);
const newFolder = (): string => realpathSync(mkdtempSync(join(tmpdir(), 'push-')));

const ORIGIN = '[remote "origin"]\n\turl = https://github.com/acme/app.git\n';
const SIMPLE = { destination: 'origin', refspecs: ['agent/x'], saysRefs: false } as const;

function viewOf(
  config: string,
  over: Partial<GitView & { kind: 'known' }> = {},
): GitView & { kind: 'known' } {
  const entries = gitEntries(config);
  if (entries === undefined) throw new Error('the config cannot be read');
  return {
    kind: 'known',
    entries,
    branch: 'agent/x',
    repositories: () => [],
    mayBeTag: () => false,
    mayChangePipelines: () => false,
    ...over,
  };
}

function where(config: string, words: string, over: Partial<GitView & { kind: 'known' }> = {}): PushTarget {
  const [destination, ...refspecs] = words === '' ? [] : words.split(' ');
  return pushTarget(viewOf(config, over), { destination, refspecs, saysRefs: false });
}

describe('[GA-15] where a push goes', () => {
  test.each([
    ['', '', 'acme/app', 'agent/x', 'the only remote, the branch that is checked out'],
    ['', 'origin', 'acme/app', 'agent/x', 'the branch that is checked out'],
    ['', 'origin feature', 'acme/app', 'feature', 'a branch by its name'],
    ['', 'origin HEAD', 'acme/app', 'agent/x', 'HEAD'],
    ['', 'origin main:release', 'acme/app', 'release', 'a name at the other side'],
    ['[remote "origin"]\npushurl = git@github.com:ana/app\n', 'origin', 'ana/app', 'agent/x', 'pushurl'],
    ['[remote "up"]\nurl = git@github.com:up/app\n', '', 'acme/app', 'agent/x', 'origin of two'],
    [
      '[remote]\npushDefault = up\n[remote "up"]\nurl = git@github.com:up/app\n',
      '',
      'up/app',
      'agent/x',
      'pushDefault',
    ],
    [
      '[branch "agent/x"]\npushRemote = up\n[remote "up"]\nurl = git@github.com:up/app\n',
      '',
      'up/app',
      'agent/x',
      'pushRemote',
    ],
    [
      '[branch "agent/x"]\nremote = up\n[remote "up"]\nurl = git@github.com:up/app\n',
      '',
      'up/app',
      'agent/x',
      'remote of the branch',
    ],
    [
      '[url "https://evil.test/"]\ninsteadOf = https://github.com/\n',
      'origin',
      'evil',
      'agent/x',
      'insteadOf',
    ],
    [
      '[url "git@evil.test:"]\npushInsteadOf = https://github.com/\n',
      'origin',
      'evil',
      'agent/x',
      'pushInsteadOf',
    ],
    [
      '[url "https://evil.test/"]\ninsteadOf = https://github.com/\n',
      'https://github.com/acme/app',
      'evil',
      'agent/x',
      'an address in the words',
    ],
    [
      '[remote "https://github.com/acme/app"]\nurl = https://evil.test/acme/app\n',
      'https://github.com/acme/app',
      'evil',
      'agent/x',
      'an address that is the name of a remote',
    ],
    ['[push]\ndefault = current\n', '', 'acme/app', 'agent/x', 'push.default current'],
    [
      '[push]\ndefault = upstream\n[branch "agent/x"]\nremote = origin\nmerge = refs/heads/main\n',
      '',
      'acme/app',
      'main',
      'push.default upstream',
    ],
  ])('%j, `git push %s`: %s %s (%s)', (config, words, repository, ref) => {
    const target = where(ORIGIN + config, words);
    if (target.kind !== 'known') throw new Error(target.reason);
    const name = repository === 'evil' ? 'evil.test/acme/app' : `github.com/${repository}`;
    expect(target.repository).toBe(name);
    const [spec] = target.refspecs;
    expect(spec?.split(':').at(-1)?.replace('refs/heads/', '')).toBe(ref);
  });

  test.each([
    ['[include]\npath = other', 'an include'],
    ['[includeIf "gitdir:/x"]\npath = other', 'a conditional one'],
    ['[remote "origin"]\nurl = https://evil.test/acme/app', 'two addresses'],
    ['[remote "origin"]\npush = refs/heads/*:refs/heads/main', 'refspecs of its own'],
    ['[remote "origin"]\nmirror', 'a mirror, without a value'],
    ['[remote "origin"]\nreceivepack = evil', 'a program'],
    ['[remote "origin"]\nvcs = evil', 'a helper'],
    ['[core]\nsshCommand = evil', 'a program'],
    ['[core]\ngitProxy = evil', 'a program'],
    ['[http "https://github.com"]\nproxy = http://evil.test', 'a proxy'],
    ['[http]\ncurloptResolve = github.com:443:10.0.0.1', 'another machine'],
    ['[push]\nfollowTags', 'tags as well'],
    ['[push]\nrecurseSubmodules = on-demand', 'other repositories as well'],
    ['[submodule]\nrecurse = true', 'other repositories as well'],
    ['[push]\npushOption = merge_request.create', 'options'],
    ['[push]\ndefault = upstream', 'another name at the other side'],
    ['[extensions]\nrefStorage = reftable', 'refs that are kept elsewhere'],
  ])('nobody knows with %j: %s', (config) => {
    expect(pushTarget(viewOf(`${ORIGIN}${config}\n`), SIMPLE).kind).toBe('unknown');
  });

  test.each([
    ['matching', '[push]\ndefault = matching\n', {}],
    ['nothing', '[push]\ndefault = nothing\n', {}],
    ['no branch', '', { branch: undefined }],
  ])('nobody knows what a push without words moves: %s', (_, config, over) => {
    expect(where(ORIGIN + config, '', over).kind).toBe('unknown');
  });

  test('what may be a tag is not taken for a branch', () => {
    expect(where(ORIGIN, 'origin v1', { mayBeTag: (name) => name === 'v1' }).kind).toBe('unknown');
    expect(where(ORIGIN, 'elsewhere v1').kind).toBe('unknown');
    expect(where(ORIGIN, 'origin tags/v1')).toMatchObject({ refspecs: ['tags/v1'] });
  });
});

describe('a git config', () => {
  test.each([
    ['[remote.origin]\nurl = x', 'a section of the old form'],
    ['[remote "a\nurl = x', 'a head that does not end'],
    ['[core]\nx = "a', 'quotes that do not end'],
    ['[core]\nx = a\\\nb', 'a line that goes on'],
    ['[core]\nx = a\\nb', 'a control character'],
    ['url = x', 'a setting of no section'],
    ['[core]\n= x', 'no name'],
    ['[core] ]', 'something else'],
    ['[core]\nx = a\tb', 'a tab that older versions of git take for a blank'],
    ['[core]\nx = \u00a0a', 'a blank that git does not take for one'],
    ['[core]\nx = a\f', 'another'],
  ])('%j is not read: %s', (text) => {
    expect(gitEntries(text)).toBeUndefined();
  });

  test('keeps what follows a comment that ends in a backslash', () => {
    expect(gitEntries('# x \\\n[a]\nb = c ; d\n')).toEqual([
      { section: 'a', name: '', key: 'b', value: 'c' },
    ]);
  });

  withGit(`has the values that git itself reads (${real.install})`, () => {
    const folder = newFolder();
    const file = join(folder, 'config');
    const piece = fc.constantFrom('a', ' ', '"', '\\"', '\\\\', '#', ';', '\t', 'ü', '=', '[', ']', '\\t');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 10 }), (parts) => {
        const text = `[s "n"]\n\tk = ${parts.join('')}\n`;
        const entries = gitEntries(text);
        if (entries === undefined) return;
        writeFileSync(file, text);
        const git = execFileSync('git', ['config', '-z', '-f', file, '--get', 's.n.k'], {
          stdio: ['pipe', 'pipe', 'ignore'],
        });
        expect(entries).toEqual([{ section: 's', name: 'n', key: 'k', value: git.toString().slice(0, -1) }]);
      }),
      { numRuns: rounds(100) },
    );
  });
});

describe('[GA-15] the repository that a push is made in', () => {
  const home = newFolder();
  const repository = (config = ORIGIN): string => {
    const folder = newFolder();
    mkdirSync(join(folder, '.git/refs/tags'), { recursive: true });
    writeFileSync(join(folder, '.git/HEAD'), 'ref: refs/heads/agent/x\n');
    writeFileSync(join(folder, '.git/config'), config);
    return folder;
  };

  test('is read with the settings of its user', () => {
    const folder = repository();
    const user = newFolder();
    writeFileSync(join(user, '.gitconfig'), '[url "https://evil.test/"]\ninsteadOf = https://github.com/\n');
    const view = readRepository(folder, user);
    if (view?.kind !== 'known') throw new Error('not read');
    expect(pushTarget(view, SIMPLE)).toMatchObject({ repository: 'evil.test/acme/app' });
  });

  test('is unknown with a config that cannot be read whole', () => {
    const folder = repository(`${ORIGIN}[remote.origin]\n`);
    expect(readRepository(folder, home)?.kind).toBe('unknown');
    const linked = repository();
    const other = repository();
    symlinkSync(join(linked, '.git/config'), join(other, '.git/config.worktree'));
    expect(readRepository(other, home)?.kind).toBe('unknown');
  });

  test('is none in a folder that git takes for a repository itself', () => {
    const folder = repository();
    const bare = join(folder, 'bare');
    mkdirSync(join(bare, 'objects'), { recursive: true });
    mkdirSync(join(bare, 'refs'));
    writeFileSync(join(bare, 'HEAD'), 'ref: refs/heads/agent/x\n');
    writeFileSync(join(bare, 'config'), '[remote "origin"]\nurl = https://evil.test/acme/app\n');
    expect(readRepository(bare, home)).toBeUndefined();
  });

  test('knows its tags, loose and packed', () => {
    const folder = repository();
    writeFileSync(join(folder, '.git/refs/tags/v1'), 'x');
    writeFileSync(join(folder, '.git/packed-refs'), '# pack-refs\n1234 refs/tags/v2\n');
    const view = readRepository(folder, home);
    if (view?.kind !== 'known') throw new Error('not read');
    expect(['v1', 'v2', 'v3', '../x'].map(view.mayBeTag)).toEqual([true, true, false, true]);
  });

  withGit(`is where git itself would push to (${real.install})`, () => {
    const configs = [
      '',
      '[remote "origin"]\npushurl = https://github.com/ana/app\n',
      '[url "https://evil.test/"]\ninsteadOf = https://github.com/\n[url "https://evil.test/acme/"]\ninsteadOf = https://github.com/acme/\n',
      '[url "git@evil.test:"]\npushInsteadOf = https://github.com/\n[url "https://x.test/"]\ninsteadOf = https://github.com/\n',
    ];
    for (const config of configs) {
      const folder = newFolder();
      const git = (...args: string[]): string =>
        execFileSync('git', args, {
          cwd: folder,
          env: { PATH: process.env.PATH ?? '', HOME: home, GIT_CONFIG_NOSYSTEM: '1' },
        }).toString();
      git('init', '-q');
      writeFileSync(join(folder, '.git/config'), `[core]\nrepositoryformatversion = 0\n${ORIGIN}${config}`);
      const view = readRepository(folder, home);
      if (view?.kind !== 'known') throw new Error('not read');
      const target = pushTarget(view, SIMPLE);
      expect(target).toMatchObject({ address: git('remote', 'get-url', '--push', 'origin').trim() });
    }
  });
});
