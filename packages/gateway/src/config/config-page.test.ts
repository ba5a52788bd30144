import { describe, expect, test } from 'vitest';
import { renderConfigPage } from './config-page.ts';
import { jsonSchema } from './sections/schema.ts';

interface Shape {
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: boolean | Shape;
  readonly items?: Shape;
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
}

/** Every setting of a schema with its path. */
function settings(shape: Shape, path = ''): readonly (readonly [string, Shape])[] {
  const below = Object.entries(shape.properties ?? {}).flatMap(([key, field]) => {
    const at = path === '' ? key : `${path}.${key}`;
    return [[at, field] as const, ...settings(field, at)];
  });
  const more =
    typeof shape.additionalProperties === 'object' ? settings(shape.additionalProperties, `${path}.*`) : [];
  const items = shape.items === undefined ? [] : settings(shape.items, `${path}[]`);
  const branches = (shape.anyOf ?? shape.oneOf ?? []).flatMap((branch) => settings(branch, path));
  return [...below, ...more, ...items, ...branches];
}

// The schema is plain JSON; only these keywords are looked at.
const schema = jsonSchema() as Shape & Readonly<Record<string, unknown>>;

describe('the JSON Schema', () => {
  test('is draft 2020-12 and refuses unknown keys', () => {
    expect(schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
    expect(schema.additionalProperties).toBe(false);
  });

  test('describes every setting', () => {
    const silent = settings(schema).filter(([, field]) => (field.description ?? '') === '');
    expect(silent.map(([path]) => path)).toEqual([]);
  });

  test('demands nothing that has a default', () => {
    expect(schema.required).toBeUndefined();
  });
});

test('the page has a row for every setting', () => {
  const page = renderConfigPage();
  const missing = settings(schema).filter(([path]) => !page.includes(`| \`${path.split('.').at(-1)}\` |`));
  expect(missing.map(([path]) => path)).toEqual([]);
});
