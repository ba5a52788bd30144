import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** The one file in which a path reaches the file system. */
const DOOR = 'held-folder.ts';

test('[TO-5] no file of this folder but the walk reaches the file system', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  expect(sources).toContain(DOOR);
  const others = sources.filter((name) => {
    const text = readFileSync(new URL(name, folder), 'utf8');
    // `import`, `require`, `process.binding`, child processes: every way to a file.
    return /['"`](?:node:)?(?:fs|child_process|worker_threads|module)(?:\/promises)?['"`]|getBuiltinModule|\.binding\(/.test(
      text,
    );
  });
  expect(others).toEqual([DOOR]);
});

test('[TO-5] in the walk every path is a held folder with one name, but for what the operator named', () => {
  const text = readFileSync(new URL(`./${DOOR}`, import.meta.url), 'utf8');
  const calls = [...text.matchAll(/(?<![.\w])(\w+Sync)(?:\.native)?\(([^\n]*)/g)].map(
    ([, name, rest]) => `${name}(${rest}`,
  );
  const odd = calls.filter(
    (call) =>
      !/^\w+\((?:this\.#at\(|`\/proc\/self\/fd\/\$\{(?:this\.#held|found\.fd)\}`|fd\)|(?:this\.#|found\.)(?:fd|held)\b)/.test(
        call,
      ),
  );
  expect(odd).toEqual([
    expect.stringMatching(/^realpathSync\(path\)/),
    expect.stringMatching(/^openSync\('\/', O_PATH\)/),
    expect.stringMatching(/^realpathSync\(path\)/),
  ]);
});
