/**
 * Text in which nothing is hidden: control characters (line breaks and tabs stay), direction overrides, zero-width
 * characters and lone surrogates are shown as `\u{…}`, so that what a person reads is what is there.
 */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`);
}

/** The same in one line. */
export function visibleLine(text: string): string {
  return visibleText(text).replace(/[\n\t]+/g, ' ');
}

const PLAIN = /^[\t\n\x20-\x7e]*$/;
const HIDDEN =
  // Control, format, surrogate, private use, unassigned, odd blanks, and marks that most fonts draw as nothing.
  /(?![\n\t])(?:\u034f|\u17b4|\u17b5|\u180f|\p{Variation_Selector}|[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\u2028\u2029\u00a0\u115f\u1160\u2000-\u200a\u202f\u205f\u3000\u3164\uffa0\u2800])/gu;

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Text that is text in HTML and in an attribute, whatever it holds. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '');
}
