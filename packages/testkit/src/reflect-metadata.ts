/**
 * The three functions of the metadata API that tsyringe, which @peculiar/x509 is built on, calls.
 *
 * Importing x509 without them throws. None of its classes has a decorated constructor parameter, so a plain
 * table is all that is needed; a full polyfill that is already there is left alone.
 */
const table = new WeakMap<object, Map<unknown, unknown>>();

const metadata = {
  defineMetadata(key: unknown, value: unknown, target: object): void {
    const entries = table.get(target) ?? new Map<unknown, unknown>();
    table.set(target, entries.set(key, value));
  },
  getOwnMetadata: (key: unknown, target: object): unknown => table.get(target)?.get(key),
  getMetadata(key: unknown, target: object): unknown {
    for (let at: object | null = target; at !== null; at = Object.getPrototypeOf(at)) {
      const entries = table.get(at);
      if (entries?.has(key)) return entries.get(key);
    }
    return undefined;
  },
};

/** Puts the functions in place. Must run before x509 is imported for the first time. */
export function installReflectMetadata(): void {
  if (!('getMetadata' in Reflect)) Object.assign(Reflect, metadata);
}
