/** One component of a path: text, or the bytes of a name that is not UTF-8. */
export type EntryName = string | Buffer;

/** Whether this can be one component of a path and nothing else: not `.`, not `..`, no slash, no NUL. */
export function isPlainName(name: EntryName): boolean {
  if (typeof name !== 'string')
    return !name.includes(0x2f) && !name.includes(0) && isPlainName(name.toString('latin1'));
  return name !== '' && !isDots(name) && !name.includes('/') && !name.includes('\0') && name.isWellFormed();
}

export function isDots(name: string): boolean {
  return name === '.' || name === '..';
}
