import { z } from 'zod';
import { ConfigSchema } from './schema.ts';

/** JSON Schema (draft 2020-12) of the config file, for editors: `sallyport config schema`. */
export function jsonSchema(): Readonly<Record<string, unknown>> {
  const { $schema, ...schema } = z.toJSONSchema(ConfigSchema, {
    target: 'draft-2020-12',
    // What people write, not what the gateway makes of it: a key with a default is not required.
    io: 'input',
    unrepresentable: 'any',
  });
  return { $schema, title: 'Sallyport configuration', ...schema };
}
