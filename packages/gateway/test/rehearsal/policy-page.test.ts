import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { tempDir } from '@sallyport/testkit';
import { describe, expect, test } from 'vitest';
import { loadPolicyParts } from '../../src/admission/policy-parts.ts';
import { loadConfig, resolveHome } from '../../src/config/index.ts';
import { testPolicyFile } from '../../src/index.ts';

const ROOT = resolve(import.meta.dirname, '../../../..');
const page = readFileSync(join(ROOT, 'docs/policy.md'), 'utf8');
const env = { HOME: '/home/agent' };
const paths = resolveHome(env);

/** The fenced blocks with this info string. */
function blocks(info: string): readonly { readonly number: number; readonly text: string }[] {
  const found = page.matchAll(new RegExp(`^\`\`\`${info}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'));
  return [...found].map(([, text = ''], index) => ({ number: index + 1, text }));
}

test('the page has examples, and every YAML block is one that is tested', () => {
  expect(blocks('yaml policy').length).toBeGreaterThanOrEqual(6);
  expect(blocks('yaml table').length).toBeGreaterThanOrEqual(1);
  expect(blocks('yaml')).toEqual([]);
});

describe('docs/policy.md', () => {
  test.each(blocks('yaml policy'))(
    'example $number is a policy that loads without a warning',
    async ({ text }) => {
      await using dir = await tempDir();
      const file = join(dir.path, 'sallyport.yaml');
      writeFileSync(file, text);
      const parts = loadPolicyParts(paths, env);
      const loaded = loadConfig({ file, env, checks: [parts.check] });
      expect(loaded.warnings).toEqual([]);
      expect(parts.compile(loaded).policyOf('default')).toBeDefined();
    },
  );

  test.each(blocks('yaml table'))('table $number gives the answers that it says', async ({ text }) => {
    await using dir = await tempDir();
    const file = join(dir.path, 'x.test.yaml');
    writeFileSync(file, text);
    const policy = join(ROOT, 'docs', /^policy: (\S+)/m.exec(text)?.[1] ?? '');
    const { results } = await testPolicyFile({ file, policy, paths, env });
    expect(results.filter(({ ok }) => !ok)).toEqual([]);
  });

  test('what it shows of `explain` is what `explain` prints', () => {
    const snapshots = join(ROOT, 'packages/cli/test/explain/snapshots');
    const shown = blocks('console').map(({ text }) => text);
    expect(shown).toEqual([readFileSync(join(snapshots, 'push-to-main-unconfined.txt'), 'utf8')]);
  });

  test('names only files that exist', () => {
    const links = [...page.matchAll(/\]\(([^)#]+)/g)].map(([, link = '']) => link);
    expect(links.length).toBeGreaterThan(5);
    expect(links.filter((link) => !existsSync(join(ROOT, 'docs', link)))).toEqual([]);
  });
});
