import { createRequire } from 'node:module';
import type { Header } from '../../../src/shared/http-message.ts';

/** One request as Node's own parser (llhttp, strict) reads it. */
export interface LlhttpRequest {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly Header[];
  readonly version: number;
  body: string;
  isWhole: boolean;
}

type Callback = (...values: never[]) => number | undefined;

interface LlhttpParser {
  [callback: number]: Callback;
  initialize(type: number, resource: object): void;
  /** bytes read, or the error */
  execute(bytes: Buffer): number | Error | undefined;
  close(): void;
}

interface LlhttpModule {
  readonly HTTPParser: {
    new (): LlhttpParser;
    readonly REQUEST: number;
    readonly kOnHeaders: number;
    readonly kOnHeadersComplete: number;
    readonly kOnBody: number;
    readonly kOnMessageComplete: number;
  };
  readonly methods: readonly string[];
}

// Not public, and made for exactly this: the parser behind `node:http`, without sockets, at once.
const { HTTPParser, methods } = createRequire(import.meta.url)('_http_common') as LlhttpModule;

/** Methods that llhttp knows at all. */
export const LLHTTP_METHODS: ReadonlySet<string> = new Set(methods);

/** Reads all requests in `bytes`; an error when the parser refuses them. */
export function readWithLlhttp(bytes: Buffer): readonly LlhttpRequest[] | Error {
  const requests: LlhttpRequest[] = [];
  const parser = new HTTPParser();
  parser.initialize(HTTPParser.REQUEST, {});
  // More than 32 fields come in portions, and the target with the first of them.
  let early: string[] = [];
  let earlyTarget = '';
  parser[HTTPParser.kOnHeaders] = ((fields: string[], url: string) => {
    early.push(...fields);
    earlyTarget += url;
  }) as Callback;
  parser[HTTPParser.kOnHeadersComplete] = ((
    major: number,
    minor: number,
    fields: string[] | undefined,
    method: number,
    url: string | undefined,
  ) => {
    const flat = fields ?? early;
    const headers: Header[] = [];
    for (let at = 0; at < flat.length; at += 2) headers.push([flat[at] ?? '', flat[at + 1] ?? '']);
    early = [];
    requests.push({
      method: methods[method] ?? '',
      target: url ?? earlyTarget,
      headers,
      version: major * 10 + minor,
      body: '',
      isWhole: false,
    });
    return 0;
  }) as Callback;
  parser[HTTPParser.kOnBody] = ((chunk: Buffer) => {
    const last = requests.at(-1);
    if (last !== undefined) last.body += chunk.toString('latin1');
  }) as Callback;
  parser[HTTPParser.kOnMessageComplete] = (() => {
    const last = requests.at(-1);
    if (last !== undefined) last.isWhole = true;
    early = [];
    earlyTarget = '';
  }) as Callback;
  const result = parser.execute(bytes);
  parser.close();
  return result instanceof Error ? result : requests;
}
