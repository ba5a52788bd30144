const SIMPLE: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  e: '\u001b',
  E: '\u001b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  "'": "'",
  '"': '"',
  '?': '?',
};
const ESCAPE =
  /\\(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

/**
 * The value of `$'…'`, without its delimiters. `undefined` when it cannot be said: a NUL ends the string early,
 * single bytes above 0x7f depend on the locale, control keys and unknown escapes on the shell.
 */
export function decodeAnsiC(text: string): string | undefined {
  let failed = false;
  const fail = (): string => {
    failed = true;
    return '';
  };
  const value = text.replace(ESCAPE, (_all, hex, u4, u8, octal, control, other) => {
    if (control !== undefined) return fail();
    if (other !== undefined) return SIMPLE[other] ?? fail();
    const byte = hex ?? octal;
    const code =
      byte === undefined ? Number.parseInt(u4 ?? u8, 16) : Number.parseInt(byte, hex === undefined ? 8 : 16);
    if (code === 0 || code > 0x10ffff || (code >= 0xd800 && code <= 0xdfff)) return fail();
    if (byte !== undefined && code > 0x7f) return fail();
    return String.fromCodePoint(code);
  });
  return failed ? undefined : value;
}
