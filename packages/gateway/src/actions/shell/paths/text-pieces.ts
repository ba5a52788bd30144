/** What separates a path from what stands around it, in code and in prose. */
const BORDER = /[\s'"`(){},;:=@<>|&+!#$%^\\]+/;
/** Absolute, from a home, or through a hidden folder: what can lead out of where one works. */
const TELLING = /^[~/]|(?:^|\/)\.[^./]|SALLYPORT_HOME/;
const ENCODED = /%[0-9A-Fa-f]{2}/;

/**
 * Adds what looks like a path inside a longer text to `found`. Nothing is resolved: in code and prose nobody knows
 * where a path starts from. Linear in the length of the text.
 */
export function addPieces(text: string, found: Set<string>): void {
  if (!text.includes('.') && !text.includes('/') && !text.includes('_HOME')) return;
  for (const piece of text.split(BORDER)) if (piece.length > 1 && TELLING.test(piece)) found.add(piece);
  if (!ENCODED.test(text)) return;
  const decoded = text.replaceAll(/%([0-9A-Fa-f]{2})/g, (_, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  for (const piece of decoded.split(BORDER)) if (piece.length > 1 && TELLING.test(piece)) found.add(piece);
}
