import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { policyAgentShape } from './agents.ts';
import { SETTING_TESTS } from './policy-setting-tests.ts';
import { policyTopShape } from './policy-top.ts';
import { policyTenantShape } from './tenants.ts';

/** Every value that a schema accepts, by its path: `network.rules[].host`. */
function settingsOf(schema: z.core.$ZodType, path: string): string[] {
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([key, value]) =>
      // zod types a shape's values loosely; each is a schema
      settingsOf(value as z.core.$ZodType, path === '' ? key : `${path}.${key}`),
    );
  if (schema instanceof z.ZodArray) return settingsOf(schema.element, `${path}[]`);
  if (schema instanceof z.ZodRecord) return settingsOf(schema.valueType, `${path}.*`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => settingsOf(option, path));
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault)
    return settingsOf(schema.unwrap(), path);
  const leaves = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral];
  if (!leaves.some((leaf) => schema instanceof leaf)) throw new Error(`no way to walk \`${path}\``);
  return [path];
}

function sourcesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'));
}

const settings = new Set([
  ...settingsOf(z.strictObject(policyTopShape), ''),
  ...settingsOf(z.strictObject(policyTenantShape), 'tenants.*'),
  ...settingsOf(z.strictObject(policyAgentShape), 'agents.*'),
]);

describe('the policy settings', () => {
  test('[GA-10] each setting that the schema accepts has a test that shows its effect, and no other is listed', () => {
    expect(Object.keys(SETTING_TESTS).toSorted()).toEqual([...settings].toSorted());
  });

  test('[GA-10] the tests that show the effects exist', () => {
    const folders = [
      '../../gate',
      '../../calls',
      '../../../test/egress',
      '../../../test/gate',
      '../../../test/proxy',
    ];
    const sources = folders.flatMap((folder) => sourcesBelow(join(import.meta.dirname, folder)));
    const missing = [...new Set(Object.values(SETTING_TESTS))].filter(
      (title) => !sources.some((source) => source.includes(`('${title}'`)),
    );
    expect(missing).toEqual([]);
  });

  test('[GA-10] a setting that nothing implements is an error', () => {
    expect(() => z.strictObject(policyAgentShape).parse({ sandbox: 'docker' })).toThrow('sandbox');
    expect(() => z.strictObject(policyTopShape).parse({ network: { tunel: [] } })).toThrow('tunel');
  });

  test('every setting is described for people', () => {
    const nameless: string[] = [];
    const walk = (schema: z.core.$ZodType, path: string): void => {
      if (schema instanceof z.ZodObject)
        for (const [key, value] of Object.entries(schema.shape)) {
          const field = value as z.core.$ZodType;
          if (!isDescribed(field)) nameless.push(`${path}.${key}`);
          walk(field, `${path}.${key}`);
        }
      else if (schema instanceof z.ZodArray) walk(schema.element, path);
      else if (schema instanceof z.ZodRecord) walk(schema.valueType, path);
      else if (schema instanceof z.ZodUnion) for (const option of schema.options) walk(option, path);
      else if (
        schema instanceof z.ZodOptional ||
        schema instanceof z.ZodDefault ||
        schema instanceof z.ZodPrefault
      )
        walk(schema.unwrap(), path);
    };
    walk(z.strictObject({ ...policyTopShape, ...policyTenantShape, ...policyAgentShape }), '');
    expect(nameless).toEqual([]);
  });
});

/** Said on the schema itself, or on what it wraps. */
function isDescribed(schema: z.core.$ZodType): boolean {
  if (z.globalRegistry.get(schema)?.description !== undefined) return true;
  return (
    (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodPrefault) &&
    isDescribed(schema.unwrap())
  );
}
