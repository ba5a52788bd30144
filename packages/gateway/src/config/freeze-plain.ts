/**
 * A deep copy of plain data that nothing can change.
 *
 * SECURITY: the copy's maps have no prototype, so that looking up a name that came from outside
 * (`config.tenants[name]` with `constructor`) finds nothing.
 */
export function freezePlain<Value>(value: Value): Value {
  // The copy has the same keys and values, so it has the same type.
  return copy(value) as Value;
}

function copy(value: unknown): unknown {
  if (Array.isArray(value)) return Object.freeze(value.map(copy));
  if (value === null || typeof value !== 'object') return value;
  const result: Record<string, unknown> = Object.create(null);
  for (const [key, inner] of Object.entries(value)) result[key] = copy(inner);
  return Object.freeze(result);
}
