import { z } from 'zod';
import type { ConfigPath } from './checks/config-check.ts';

/** The schemas that may stand at a path: more than one under a union, none where no key is known. */
export function schemasAt(root: z.core.$ZodType, path: ConfigPath): readonly z.core.$ZodType[] {
  let current = unwrap(root);
  for (const step of path) current = current.flatMap((schema) => stepInto(schema, step)).flatMap(unwrap);
  return current;
}

/** The keys that may stand in the map at a path. */
export function keysAt(root: z.core.$ZodType, path: ConfigPath): readonly string[] {
  return [
    ...new Set(
      schemasAt(root, path).flatMap((schema) =>
        schema instanceof z.core.$ZodObject ? Object.keys(schema._zod.def.shape) : [],
      ),
    ),
  ];
}

function stepInto(schema: z.core.$ZodType, step: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.core.$ZodObject) {
    const { shape } = schema._zod.def;
    const field = Object.hasOwn(shape, String(step)) ? shape[String(step)] : undefined;
    return field === undefined ? [] : [field];
  }
  if (schema instanceof z.core.$ZodRecord) return [schema._zod.def.valueType];
  if (schema instanceof z.core.$ZodArray) return [schema._zod.def.element];
  return [];
}

/** Sees through optional, default, pipe and union: what is left is what a value can look like. */
function unwrap(schema: z.core.$ZodType): readonly z.core.$ZodType[] {
  if (
    schema instanceof z.core.$ZodOptional ||
    schema instanceof z.core.$ZodDefault ||
    schema instanceof z.core.$ZodPrefault ||
    schema instanceof z.core.$ZodNullable ||
    schema instanceof z.core.$ZodReadonly
  ) {
    return unwrap(schema._zod.def.innerType);
  }
  if (schema instanceof z.core.$ZodPipe) return unwrap(schema._zod.def.in);
  if (schema instanceof z.core.$ZodLazy) return unwrap(schema._zod.def.getter());
  if (schema instanceof z.core.$ZodUnion) return schema._zod.def.options.flatMap(unwrap);
  return [schema];
}
