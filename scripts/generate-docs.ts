/** `npm run docs` writes the generated pages; with `--check` it says which are out of date. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jsonSchema, renderConfigPage } from '@sallyport/gateway/config';
import { renderBuiltIns } from './docs/built-in-tables.ts';
import { renderCommandsPage } from './docs/commands-page.ts';
import { renderDoorsPage } from './docs/doors-page.ts';
import { renderErrorsPage } from './docs/errors-page.ts';
import { renderOperationsPage } from './docs/operations-page.ts';
import { renderPolicyTables } from './docs/policy-tables.ts';
import { renderSecurityPage } from './docs/security-page.ts';

const root = resolve(import.meta.dirname, '..');
const check = process.argv.includes('--check');

const pages: readonly { readonly path: string; render(): string }[] = [
  { path: 'docs/config.md', render: () => `${renderConfigPage()}${renderPolicyTables()}${renderBuiltIns()}` },
  { path: 'docs/config.schema.json', render: () => `${JSON.stringify(jsonSchema(), null, 2)}\n` },
  { path: 'docs/doors.md', render: renderDoorsPage },
  { path: 'docs/errors.md', render: renderErrorsPage },
  { path: 'docs/operations.md', render: renderOperationsPage },
  { path: 'docs/ssh-commands.md', render: renderCommandsPage },
  { path: 'docs/security.md', render: () => renderSecurityPage(root) },
];

let stale = 0;
for (const { path, render } of pages) {
  const file = join(root, path);
  const text = render();
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale += 1;
  if (check) console.log(`${path}: out of date; run \`npm run docs\``);
  else {
    writeFileSync(file, text);
    console.log(`wrote ${path}`);
  }
}
if (check && stale > 0) process.exit(1);
