/** Longest line that is parsed, in `bytes` of UTF-8. */
export const MAX_LINE_BYTES = 16 * 1024;
/** Most `|`, `<`, `(` and `)` in a line, and most open `(`: the parser's time grows with their square. */
const MAX_OPERATORS = 800;
const MAX_OPEN = 60;

// Tab and newline are the only control characters that a shell line needs. A carriage return, an escape or a
// DEL can make a terminal show another line than the one that runs.
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const CONTROL = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/;
// Separators that look like a blank but are part of a word for the shell, and invisible or direction-changing
// characters.
const INVISIBLE =
  /[\p{Cf}\p{Co}\p{Zl}\p{Zp}\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000\u3164\u115f\u1160\uffa0]/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: everything below 0x80 is the fast path
const ASCII_ONLY = /^[\u0000-\u007f]*$/;

// Printable ASCII, tabs and newlines without any of the operators that are counted: most lines.
const ORDINARY = /^[\t\n\x20-\x27\x2a-\x3b\x3d-\x7b\x7d\x7e]*$/;

/** Why a line is not even parsed; `undefined` when it may be. Linear in the length of the line, which is capped. */
export function refuseInput(line: string): string | undefined {
  if (line.length > MAX_LINE_BYTES) return 'the line is longer than 16 KiB';
  if (ORDINARY.test(line)) return undefined;
  if (CONTROL.test(line)) return 'the line has a control character';
  if (!ASCII_ONLY.test(line)) {
    if (!line.isWellFormed()) return 'the line is not valid Unicode';
    if (line.includes('\ufffd')) return 'the line had bytes that are not UTF-8';
    if (INVISIBLE.test(line)) return 'the line has an invisible character';
    if (Buffer.byteLength(line) > MAX_LINE_BYTES) return 'the line is longer than 16 KiB';
  }
  let operators = 0;
  let open = 0;
  let deepest = 0;
  for (let i = 0; i < line.length; i += 1) {
    const code = line.charCodeAt(i);
    if (code !== 0x7c && code !== 0x3c && code !== 0x28 && code !== 0x29) continue;
    operators += 1;
    if (code === 0x28) deepest = Math.max(deepest, ++open);
    else if (code === 0x29 && open > 0) open -= 1;
  }
  if (deepest > MAX_OPEN) return 'the line is nested too deeply';
  return operators > MAX_OPERATORS ? 'the line has too many operators' : undefined;
}
