/** Writes docs/config.md and docs/config.schema.json from the schema; with `--check` says which are out of date. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { jsonSchema, renderConfigPage } from '../packages/gateway/src/config/index.ts';
import { renderPolicyTables } from './docs/policy-tables.ts';

const docs = resolve(import.meta.dirname, '../docs');
const check = process.argv.includes('--check');

const pages = [
  { name: 'config.md', text: `${renderConfigPage()}${renderPolicyTables()}` },
  { name: 'config.schema.json', text: `${JSON.stringify(jsonSchema(), null, 2)}\n` },
];

let stale = 0;
for (const { name, text } of pages) {
  const file = join(docs, name);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
  stale += 1;
  if (check) console.log(`docs/${name}: out of date; run \`node scripts/generate-config-docs.ts\``);
  else {
    mkdirSync(docs, { recursive: true });
    writeFileSync(file, text);
    console.log(`wrote docs/${name}`);
  }
}
if (check && stale > 0) process.exit(1);
