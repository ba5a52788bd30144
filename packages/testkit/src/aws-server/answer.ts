export interface Answer {
  readonly status: number;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

export function xmlAnswer(body: string, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status: 200, type: 'application/xml', headers, body };
}

export function jsonAnswer(value: unknown): Answer {
  return { status: 200, type: 'application/x-amz-json-1.1', body: JSON.stringify(value) };
}

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

/** What the real service would answer in place of the result. */
export class AwsRefusal extends Error {
  readonly status: number;
  readonly code: string;
  /** further elements of the error document */
  readonly details: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
