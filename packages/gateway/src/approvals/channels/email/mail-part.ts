import { loadPart } from '../../../shared/load-part.ts';

/** What is used of the libraries in `parts/mail`. */
export interface MailPart {
  readonly ImapFlow: new (settings: ImapSettings) => ImapClient;
  simpleParser(
    message: Buffer,
    options: { readonly skipHtmlToText: true; readonly skipTextToHtml: true; readonly skipImageLinks: true },
  ): Promise<{ readonly subject?: string; readonly text?: string; readonly html?: string | false }>;
  dkimVerify(
    message: Buffer,
    options: {
      readonly resolver: TxtResolver;
      readonly strict: true;
      readonly minBitLength: number;
    },
  ): Promise<{ readonly results: readonly DkimResult[] }>;
}

/** Answers a DNS question as `dns.resolve` does: each record in pieces. */
export type TxtResolver = (name: string, type: string) => Promise<readonly (readonly string[])[]>;

/** One signature, as the verifier saw it. */
export interface DkimResult {
  readonly signingDomain?: string;
  readonly canonBodyLengthLimited?: boolean;
  readonly signingHeaders?: { readonly headers: readonly string[] };
  readonly status: { readonly result: string; readonly testing?: boolean };
}

export interface ImapSettings {
  readonly host: string;
  readonly port: number;
  readonly secure: boolean;
  readonly doSTARTTLS: boolean;
  readonly auth: { readonly user: string; readonly pass: string };
  readonly tls: { readonly ca?: string };
  readonly logger: false;
  readonly disableCompression: true;
  readonly disableAutoIdle: true;
  readonly maxIdleTime: number;
  readonly connectionTimeout: number;
  readonly greetingTimeout: number;
  readonly socketTimeout: number;
  readonly maxLineLength: number;
  readonly maxLiteralSize: number;
  readonly maxResponseSize: number;
}

export interface ImapMessage {
  readonly size?: number;
  readonly internalDate?: Date | string;
  readonly source?: Buffer;
}

export interface ImapClient {
  readonly usable: boolean;
  on(event: 'exists' | 'close' | 'error', listener: () => void): unknown;
  connect(): Promise<void>;
  mailboxOpen(path: string): Promise<{ readonly uidValidity: bigint }>;
  search(
    query: { readonly seen: false; readonly since: Date },
    options: { readonly uid: true },
  ): Promise<readonly number[] | false | undefined>;
  fetchOne(
    uid: string,
    query: {
      readonly uid: true;
      readonly size: true;
      readonly internalDate: true;
      readonly source: { readonly start: 0; readonly maxLength: number };
    },
    options: { readonly uid: true },
  ): Promise<ImapMessage | false | undefined>;
  messageFlagsAdd(
    uid: string,
    flags: readonly string[],
    options: { readonly uid: true },
  ): Promise<boolean | undefined>;
  idle(): Promise<unknown>;
  close(): void;
}

export function loadMailPart(): Promise<MailPart> {
  return loadPart<MailPart>('mail', 'reading whole mails');
}
