import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SCHEMA_FILE } from './first-config.ts';
import { writeFileAtomically } from './secret-file.ts';
import { jsonSchema } from './sections/schema.ts';

/** Writes the schema that the first line of a config names beside it; an editor then completes and checks as one types. */
export function writeConfigSchema(configFile: string): void {
  const file = join(dirname(configFile), SCHEMA_FILE);
  const text = `${JSON.stringify(jsonSchema(), null, 1)}\n`;
  if (readOr(file) !== text) writeFileAtomically(file, text);
}

function readOr(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
