/**
 * Every way in which a value may show up in text: as it is, percent-encoded, hex, base64 and base64url at each
 * of the three alignments, escaped as in JSON (once and twice), and line by line when it has several lines.
 */
export function encodingsOf(value: string): readonly string[] {
  const bytes = Buffer.from(value, 'utf8');
  const forms = new Set<string>([value, value.trim()]);
  for (const line of value.split(/\r?\n/)) if (line.length >= 16) forms.add(line);

  const once = JSON.stringify(value).slice(1, -1);
  forms.add(once);
  forms.add(JSON.stringify(once).slice(1, -1));

  for (const percent of percentForms(value)) {
    forms.add(percent);
    forms.add(percent.replace(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase()));
  }

  const hex = bytes.toString('hex');
  forms.add(hex);
  forms.add(hex.toUpperCase());

  for (const core of base64Cores(bytes)) {
    forms.add(core);
    forms.add(core.replaceAll('+', '-').replaceAll('/', '_'));
  }
  forms.add(bytes.toString('base64'));
  forms.add(bytes.toString('base64url'));
  forms.delete('');
  return [...forms];
}

function percentForms(value: string): string[] {
  // Lone surrogates have no UTF-8 form, and `encodeURIComponent` throws on them.
  const plain = encodeURIComponent(value.toWellFormed());
  const strict = plain.replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams({ v: value.toWellFormed() }).toString().slice('v='.length);
  return [plain, strict, plain.replaceAll('%20', '+'), form, encodeURI(value.toWellFormed())];
}

/** The base64 letters that depend on the value alone, whatever stands before and after it. */
function base64Cores(bytes: Buffer): string[] {
  return [0, 1, 2].map((offset) => {
    const text = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const start = offset === 0 ? 0 : offset === 1 ? 2 : 3;
    const end = (offset + bytes.length) % 3 === 0 ? text.length : text.length - 1;
    return text.slice(start, end);
  });
}
