const TAGS: ReadonlySet<string> = new Set([
  'b',
  'strong',
  'i',
  'em',
  'u',
  's',
  'code',
  'pre',
  'blockquote',
  'a',
]);
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"' };

/** What is left of Telegram's HTML once its markup is taken away. Throws what the Bot API answers to bad markup. */
export function textOfHtml(html: string): string {
  const open: string[] = [];
  let text = '';
  let at = 0;
  while (at < html.length) {
    const character = html.charAt(at);
    if (character === '<') {
      const tag = /^<(\/?)([a-z][a-z0-9-]*)((?:\s+[a-z-]+="[^"<>]*")*)>/i.exec(html.slice(at, at + 2_100));
      if (tag === null)
        throw new Error(`can't parse entities: Unsupported start tag "" at byte offset ${at}`);
      const [whole, slash, name = ''] = tag;
      if (!TAGS.has(name))
        throw new Error(`can't parse entities: Unsupported start tag "${name}" at byte offset ${at}`);
      if (slash === '') open.push(name);
      else if (open.pop() !== name)
        throw new Error(`can't parse entities: Unexpected end tag at byte offset ${at}`);
      at += whole.length;
    } else if (character === '&') {
      const entity = /^&(?:([a-z]+)|#(\d+)|#x([0-9a-f]+));/i.exec(html.slice(at, at + 20));
      const [whole = '&', name, decimal, hex] = entity ?? [];
      const code =
        decimal === undefined ? (hex === undefined ? undefined : Number.parseInt(hex, 16)) : Number(decimal);
      // An unknown name stays as it is written, as with the real API.
      text += code === undefined ? (ENTITIES[name ?? ''] ?? whole) : String.fromCodePoint(code);
      at += whole.length;
    } else {
      text += character;
      at += 1;
    }
  }
  if (open.length > 0)
    throw new Error(`can't parse entities: Can't find end tag corresponding to start tag "${open.at(-1)}"`);
  return text.trim();
}
