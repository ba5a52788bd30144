import type { HttpRequestHead, HttpScheme } from '../http-request.ts';

/** One row of a table: a request, and `effect type risk` as it must be classified. */
export interface HttpCase {
  readonly kind: 'friendly' | 'hostile';
  readonly why: string;
  /** `METHOD scheme://host[:port]/target` */
  readonly request: string;
  readonly want: string;
  readonly headers?: readonly (readonly [string, string])[];
  readonly body?: string | Uint8Array;
  /** the body goes on after `body` */
  readonly cut?: true;
  readonly upgrade?: string;
  readonly operation?: string;
  readonly object?: string;
  /** `github.com/acme/app contents refs/heads/x:update …`; `<refs/heads/x`: what others are asked to take */
  readonly repo?: string;
  readonly quiet?: true;
  /** name of what is lent with it */
  readonly credential?: string;
}

type More = Omit<HttpCase, 'kind' | 'why' | 'request' | 'want'>;

/** What honest clients send. */
export const friendly = (why: string, request: string, want: string, more: More = {}): HttpCase => ({
  kind: 'friendly',
  why,
  request,
  want,
  ...more,
});

/** What tries to look harmless, or must not be mistaken. */
export const hostile = (why: string, request: string, want: string, more: More = {}): HttpCase => ({
  ...friendly(why, request, want, more),
  kind: 'hostile',
});

const PORTS: Readonly<Record<string, number>> = { http: 80, https: 443, ws: 80, wss: 443, tunnel: 443 };
const REQUEST = /^(\S*) (https?|wss?|tunnel):\/\/(\[[^\]]*\]|[^/:*@?]*)(?::(\d+))?(.*)$/s;
const SCHEMES: readonly HttpScheme[] = ['http', 'https', 'ws', 'wss', 'tunnel'];

/** The request of a row, as a door would hand it over. */
export function headOf(row: HttpCase): HttpRequestHead {
  const [, method = '', schemeText = '', host = '', port, target = ''] = REQUEST.exec(row.request) ?? [];
  const scheme = SCHEMES.find((name) => name === schemeText);
  if (scheme === undefined) throw new Error(`not a request: ${row.request}`);
  const body = typeof row.body === 'string' ? new TextEncoder().encode(row.body) : row.body;
  return {
    scheme,
    host: host.replace(/^\[|\]$/g, ''),
    port: port === undefined ? (PORTS[scheme] ?? 443) : Number(port),
    method,
    target,
    headers: [['Accept', '*/*'], ...contentType(row), ...(row.headers ?? [])],
    bodyComplete: row.cut !== true,
    ...(body === undefined ? {} : { bodyPrefix: body }),
    ...(row.upgrade === undefined ? {} : { upgrade: row.upgrade }),
  };
}

/** What an honest client calls its body, unless the row says it otherwise. */
function contentType({ body, headers = [] }: HttpCase): readonly (readonly [string, string])[] {
  if (typeof body !== 'string' || headers.some(([name]) => name.toLowerCase() === 'content-type')) return [];
  if (headers.some(([name]) => name === 'X-Amz-Target'))
    return [['Content-Type', 'application/x-amz-json-1.1']];
  if (/^[{[]/.test(body)) return [['Content-Type', 'application/json; charset=utf-8']];
  return /^\w+=/.test(body) ? [['Content-Type', 'application/x-www-form-urlencoded']] : [];
}

/** Config that the tables are run with. */
export const CASE_OPTIONS = {
  providers: [
    { host: '127.0.0.1:11434', provider: 'ollama' },
    { host: 'ghe.corp.example', provider: 'github' },
    { host: 'k8s.corp.example:6443', provider: 'kubernetes' },
    { host: '*.images.example', provider: 'oci' },
    { host: 'npm.corp.example', provider: 'npm' },
    { host: 'pypi.corp.example', provider: 'pypi' },
    { host: 'crates.corp.example', provider: 'cargo' },
    { host: 'maven.corp.example', provider: 'maven' },
    { host: 'goproxy.corp.example', provider: 'go' },
    { host: 'git.corp.example', provider: 'git' },
    { host: 'localstack.corp.example:4566', provider: 'aws' },
    { host: 'mine.openai.azure.com', provider: 'azure' },
    { host: '*.models.example', provider: 'anthropic' },
  ],
  telemetry: ['statsig.anthropic.com', '*.ingest.sentry.io'],
} as const;
