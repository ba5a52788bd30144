/** Opens something with the first call, and once; at once when it is open. What failed is tried again with the next call. */
export function lazily<T>(open: () => Promise<T>): () => T | Promise<T> {
  let opened: { readonly value: T } | undefined;
  let opening: Promise<T> | undefined;
  const load = async (): Promise<T> => {
    try {
      const value = await open();
      opened = { value };
      return value;
    } finally {
      opening = undefined;
    }
  };
  return () => {
    if (opened !== undefined) return opened.value;
    opening ??= load();
    return opening;
  };
}
