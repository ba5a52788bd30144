import { generateKeyPairSync } from 'node:crypto';

export interface SignOptions {
  /** `d=` */
  readonly domain?: string;
  readonly selector?: string;
  /** `h=`; the usual ones unless given */
  readonly headers?: readonly string[];
  /** `l=` */
  readonly bodyLength?: number;
  /** `x=` */
  readonly expires?: Date;
  readonly algorithm?: 'rsa-sha256' | 'rsa-sha1';
}

/** A domain that signs its mails (DKIM), and the zone that holds its keys. */
export class MailDomain {
  readonly name: string;
  /** names that were looked up */
  readonly lookUps: string[] = [];
  /** TXT records; a test may change them */
  readonly zone = new Map<string, string>();
  readonly #privateKey: string;

  constructor(name: string, options: { readonly bits?: number; readonly flags?: string } = {}) {
    this.name = name;
    const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: options.bits ?? 1_024 });
    this.#privateKey = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
    const flags = options.flags === undefined ? '' : `t=${options.flags}; `;
    this.zone.set(`s1._domainkey.${name}`, `v=DKIM1; k=rsa; ${flags}p=${key}`);
  }

  /** The message with a signature on top. */
  async sign(message: string, options: SignOptions = {}): Promise<string> {
    const { dkimSign } = await import('mailauth/lib/dkim/sign.js');
    const signature = {
      signingDomain: options.domain ?? this.name,
      selector: options.selector ?? 's1',
      privateKey: this.#privateKey,
      ...(options.headers === undefined ? {} : { headerList: options.headers.join(':') }),
      ...(options.bodyLength === undefined ? {} : { maxBodyLength: options.bodyLength }),
      ...(options.expires === undefined ? {} : { expires: options.expires, signTime: new Date(0) }),
    };
    const { signatures, errors } = await dkimSign(message, {
      canonicalization: 'relaxed/relaxed',
      algorithm: options.algorithm ?? 'rsa-sha256',
      signTime: new Date(Date.now() - 1_000),
      ...signature,
      signatureData: [signature],
    });
    if (errors.length > 0) throw new Error(`not signed: ${JSON.stringify(errors)}`);
    return signatures + message;
  }

  /** Answers for keys of this zone, and says that there is nothing else. */
  readonly resolve = async (name: string): Promise<string[][]> => {
    this.lookUps.push(name);
    const record = this.zone.get(name);
    if (record === undefined) throw Object.assign(new Error('no such name'), { code: 'ENOTFOUND' });
    // A long record comes in pieces of 255 bytes.
    return [record.match(/.{1,255}/g) ?? []];
  };
}

/** A plain mail with the headers that a mail program sets. */
export function plainMail(fields: {
  readonly from: string;
  readonly subject: string;
  readonly body: string;
  readonly messageId?: string;
  readonly headers?: readonly string[];
}): string {
  const { from, subject, body, headers = [] } = fields;
  return [
    `From: ${from}`,
    'To: gate@example.org',
    `Subject: ${subject}`,
    `Message-ID: ${fields.messageId ?? `<${crypto.randomUUID()}@mail.example.com>`}`,
    `Date: ${new Date().toUTCString().replace('GMT', '+0000')}`,
    'MIME-Version: 1.0',
    ...(headers.some((line) => /^content-type:/i.test(line))
      ? []
      : ['Content-Type: text/plain; charset=utf-8']),
    ...headers,
    '',
    body.replace(/\r?\n/g, '\r\n'),
  ].join('\r\n');
}
