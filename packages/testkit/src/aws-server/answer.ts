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
