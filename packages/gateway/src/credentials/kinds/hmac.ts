import { createHash, createHmac, randomBytes } from 'node:crypto';
import { SallyportError } from '@sallyport/protocol';
import type { CredentialOptions } from '../../config/index.ts';
import type { OutgoingRequest } from '../../shared/http-message.ts';
import { Secret } from '../../shared/secret.ts';
import type { CredentialKind } from './kind.ts';
import { oneLine } from './material.ts';
import { putHeader } from './put.ts';

const PART = /\{(?:([a-z][a-z0-9_]*)|header:([A-Za-z0-9-]{1,64}))\}/g;

/**
 * Signs parts of each request with a key: `template` says which, `header` and `format` where the signature goes.
 *
 * The same moment and nonce stand in the template, the format and the further headers of one request.
 */
export const hmac: CredentialKind<'hmac'> = {
  name: 'hmac',
  hosts: [],
  places: ({ header }) => ({ headers: [header.toLowerCase()], namesOnly: true }),
  prepare(material, options, { clock }) {
    const key = new Secret(oneLine(material));
    const signsBody = /\{body(?:_sha256)?\}/.test(options.template);
    return {
      isSigned: true,
      values: [key],
      needsWholeBody: () => signsBody,
      apply(request, sent) {
        const now = clock.now();
        const nonce = randomBytes(16).toString('hex');
        const parts = (name: string): string | undefined => headPart(request, name, now, nonce);
        const signature = sign(key, options, request, parts);
        sent(new Secret(signature));
        for (const [name, text] of Object.entries(options.headers)) {
          putHeader(request, name.toLowerCase(), fill(text, request, parts));
        }
        const filled = fill(options.format.replaceAll('{signature}', '\0'), request, parts);
        putHeader(request, options.header.toLowerCase(), filled.replaceAll('\0', signature));
        return undefined;
      },
    };
  },
};

function sign(
  key: Secret,
  options: CredentialOptions<'hmac'>,
  request: OutgoingRequest,
  parts: (name: string) => string | undefined,
): string {
  const mac = createHmac(options.algorithm, key.reveal());
  // The body may be bytes that are no text: what is signed goes in piece by piece.
  let last = 0;
  for (const match of options.template.matchAll(PART)) {
    mac.update(options.template.slice(last, match.index));
    mac.update(match[1] === 'body' ? wholeBody(request) : fill(match[0], request, parts));
    last = match.index + match[0].length;
  }
  mac.update(options.template.slice(last));
  return mac.digest(options.encoding);
}

function fill(text: string, request: OutgoingRequest, parts: (name: string) => string | undefined): string {
  return text.replaceAll(PART, (whole, name: string | undefined, header: string | undefined) => {
    if (header !== undefined) return headerOf(request, header);
    return (name === undefined ? undefined : parts(name)) ?? whole;
  });
}

function headPart(request: OutgoingRequest, name: string, now: number, nonce: string): string | undefined {
  const question = request.target.indexOf('?');
  switch (name) {
    case 'method':
      return request.method;
    case 'host':
      return request.host;
    case 'target':
      return request.target;
    case 'path':
      return question === -1 ? request.target : request.target.slice(0, question);
    case 'query':
      return question === -1 ? '' : request.target.slice(question + 1);
    case 'timestamp':
      return String(Math.floor(now / 1000));
    case 'timestamp_ms':
      return String(now);
    case 'nonce':
      return nonce;
    case 'body_sha256':
      return createHash('sha256').update(wholeBody(request)).digest('hex');
    // open: any name in a template
    default:
      return undefined;
  }
}

/** Several of one name as one list, as a server would read them; nothing when there is none. */
function headerOf(request: OutgoingRequest, name: string): string {
  const wanted = name.toLowerCase();
  return request.headers
    .filter(([own]) => own.toLowerCase() === wanted)
    .map(([, value]) => value)
    .join(', ');
}

function wholeBody(request: OutgoingRequest): Uint8Array {
  if (!request.isStreamed) return request.body ?? new Uint8Array();
  throw new SallyportError('CredentialUnavailable', {
    message: 'this credential signs the whole body, which is larger than what is kept',
    hint: 'send a smaller body',
  });
}
