import { loadPart } from '../../../shared/load-part.ts';

/** The little that is used of Google's library. */
export interface GcpPart {
  readonly GoogleAuth: new (options: {
    scopes: readonly string[];
    projectId: string;
    clientOptions: { transporter: Transporter };
  }) => { getClient(): Promise<GoogleClient> };
  readonly JWT: new (options: {
    email: string;
    key: string;
    keyId?: string | undefined;
    scopes: readonly string[];
    transporter: Transporter;
  }) => GoogleClient;
  readonly gaxios: { readonly Gaxios: new (defaults: GaxiosOptions) => Transporter };
}

interface GaxiosOptions {
  readonly signal: AbortSignal;
}

interface OutgoingCall {
  url: URL;
}

export interface Transporter {
  readonly interceptors: {
    readonly request: { add(interceptor: { resolved(call: OutgoingCall): Promise<OutgoingCall> }): void };
  };
}

export interface GoogleClient {
  readonly credentials: { readonly expiry_date?: number | null };
  getAccessToken(): Promise<{ token?: string | null }>;
  request(call: {
    url: string;
    method: 'POST';
    data: Readonly<Record<string, unknown>>;
    retry: boolean;
  }): Promise<{ data: unknown }>;
}

/** The one address that the library has for tokens, whatever a key file says. */
const TOKEN_URL = 'https://oauth2.googleapis.com/token';

export function loadGcpPart(what: string): Promise<GcpPart> {
  return loadPart<GcpPart>('gcp', what);
}

/** What carries the library's calls: ends with `signal`, and asks for tokens where the config says. */
export function createTransporter(
  part: GcpPart,
  options: { readonly signal: AbortSignal; readonly tokenUrl: string | undefined },
): Transporter {
  const transporter = new part.gaxios.Gaxios({ signal: options.signal });
  const { tokenUrl } = options;
  if (tokenUrl !== undefined) {
    transporter.interceptors.request.add({
      async resolved(call) {
        if (call.url.href === TOKEN_URL) call.url = new URL(tokenUrl);
        return call;
      },
    });
  }
  return transporter;
}
