/** A text inside an XML document. */
export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** `<name>text</name>` for each entry. */
export function elements(entries: Readonly<Record<string, string | number>>): string {
  return Object.entries(entries)
    .map(([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`)
    .join('');
}

export function document(inside: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${inside}`;
}
