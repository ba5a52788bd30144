const COUNT_AT_MOST = 32;

/**
 * Parameters of a query or a form; undefined when one comes twice (which of the two counts, nobody can say) or when
 * there are too many.
 */
export function parseParameters(text: string): ReadonlyMap<string, string> | undefined {
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(text)) {
    if (parameters.has(name) || parameters.size >= COUNT_AT_MOST) return undefined;
    parameters.set(name, value);
  }
  return parameters;
}
