import { z } from 'zod';
import { ConfigSchema } from '../../../src/config/index.ts';

/**
 * Every key that the schema accepts, by its path: `network.rules[].host`, `tenants.*.credentials.*(bearer).source`. Lists
 * and maps by name stand there themselves too (`network.rules[]`, `agents.*`): what is in them may come and go.
 */
export function schemaPaths(): readonly string[] {
  return [...new Set(pathsOf(ConfigSchema, ''))];
}

function pathsOf(schema: z.core.$ZodType, path: string): string[] {
  if (schema instanceof z.ZodObject) {
    const keys = Object.entries(schema.shape);
    if (keys.length === 0) return [path];
    // zod types a shape's values loosely; each is a schema
    return keys.flatMap(([key, value]) =>
      pathsOf(value as z.core.$ZodType, path === '' ? key : `${path}.${key}`),
    );
  }
  if (schema instanceof z.ZodArray) return [`${path}[]`, ...pathsOf(schema.element, `${path}[]`)];
  if (schema instanceof z.ZodRecord) return [`${path}.*`, ...pathsOf(schema.valueType, `${path}.*`)];
  if (schema instanceof z.ZodUnion)
    return schema.options.flatMap((option) => pathsOf(option, `${path}${kindOf(option)}`));
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable
  )
    return pathsOf(schema.unwrap() as z.core.$ZodType, path);
  const leaves = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodLiteral];
  if (!leaves.some((leaf) => schema instanceof leaf)) throw new Error(`no way to walk \`${path}\``);
  return [path];
}

function kindOf(option: z.core.$ZodType): string {
  if (!(option instanceof z.ZodObject)) return '';
  const { kind } = option.shape as Record<string, unknown>;
  return kind instanceof z.ZodLiteral ? `(${String(kind.value)})` : '';
}
