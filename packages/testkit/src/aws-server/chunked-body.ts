import { crc32 } from 'node:zlib';
import { AwsRefusal } from './answer.ts';
import { sha256Hex } from './canonical.ts';
import { headerText, type IncomingRequest } from './incoming.ts';
import type { SignatureCheck } from './signature-check.ts';

export interface DecodedBody {
  readonly data: Buffer;
  readonly chunks: number;
}

export interface ChunkedAuth {
  readonly algorithm: string;
  readonly longDate: string;
  readonly scope: readonly string[];
  /** signature of the head */
  readonly seed: string;
  readonly check: SignatureCheck;
}

const SMALLEST_CHUNK = 8_192;

/** Takes an `aws-chunked` body apart and checks every signature in it. `auth` is undefined for unsigned chunks. */
export function decodeChunked(request: IncomingRequest, auth: ChunkedAuth | undefined): DecodedBody {
  const mode = headerText(request, 'x-amz-content-sha256') ?? '';
  const pieces: Buffer[] = [];
  let previous = auth?.seed.replace(/\*+$/, '') ?? '';
  const verify = (suffix: string, hashes: readonly string[], signature: string): void => {
    if (auth === undefined) return;
    const text = [`${auth.algorithm}-${suffix}`, auth.longDate, auth.scope.join('/'), previous, ...hashes];
    if (!auth.check(text.join('\n'), signature)) {
      throw new AwsRefusal(403, 'SignatureDoesNotMatch', `The ${suffix} signature does not match`);
    }
    previous = signature.replace(/\*+$/, '');
  };
  let at = 0;
  for (;;) {
    const end = request.body.indexOf('\r\n', at);
    const line = end < 0 ? '' : request.body.toString('latin1', at, end);
    const pattern = auth === undefined ? /^([0-9a-f]+)()$/i : /^([0-9a-f]+);chunk-signature=([0-9a-f*]+)$/i;
    const [, digits, signature] = pattern.exec(line) ?? [];
    if (digits === undefined || signature === undefined) throw incomplete();
    const size = Number.parseInt(digits, 16);
    const data = request.body.subarray(end + 2, end + 2 + size);
    if (data.length !== size) throw incomplete();
    verify('PAYLOAD', [sha256Hex(''), sha256Hex(data)], signature);
    at = end + 2;
    if (size === 0) break;
    if (pieces.length > 0 && (pieces.at(-1)?.length ?? 0) < SMALLEST_CHUNK) {
      throw new AwsRefusal(
        403,
        'InvalidChunkSizeError',
        'Only the last chunk may be smaller than 8192 bytes',
      );
    }
    pieces.push(data);
    at += size;
    if (request.body.toString('latin1', at, at + 2) !== '\r\n') throw incomplete();
    at += 2;
  }
  const data = Buffer.concat(pieces);
  if (String(data.length) !== headerText(request, 'x-amz-decoded-content-length')) throw incomplete();
  checkTrailer(request.body.toString('latin1', at), request, data, mode.endsWith('-TRAILER'), verify);
  return { data, chunks: pieces.length };
}

function checkTrailer(
  rest: string,
  request: IncomingRequest,
  data: Buffer,
  hasTrailer: boolean,
  verify: (suffix: string, hashes: readonly string[], signature: string) => void,
): void {
  const lines = rest.split(/\r?\n/).filter((line) => line !== '' && line !== '\r');
  if (!rest.endsWith('\r\n')) throw incomplete();
  if (!hasTrailer) {
    if (lines.length > 0) throw incomplete();
    return;
  }
  const fields = lines.map((line) => line.split(':') as [string, string]);
  const signature = fields.find(([name]) => name === 'x-amz-trailer-signature')?.[1];
  const signed = fields.filter(([name]) => name !== 'x-amz-trailer-signature');
  const announced = (headerText(request, 'x-amz-trailer') ?? '').split(',').map((name) => name.trim());
  if (
    signed
      .map(([name]) => name)
      .toSorted()
      .join() !== announced.toSorted().join()
  ) {
    throw new AwsRefusal(400, 'MalformedTrailerError', 'The trailer is not the one that was announced');
  }
  const canonical = signed.map(([name, value]) => `${name}:${value.trim()}\n`).join('');
  const isSigned = headerText(request, 'x-amz-content-sha256') !== 'STREAMING-UNSIGNED-PAYLOAD-TRAILER';
  if (isSigned) verify('TRAILER', [sha256Hex(canonical)], signature ?? '');
  const checksum = signed.find(([name]) => name === 'x-amz-checksum-crc32')?.[1];
  if (checksum !== undefined) {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(crc32(data));
    if (bytes.toString('base64') !== checksum.trim()) {
      throw new AwsRefusal(400, 'BadDigest', 'The CRC32 that was given does not match the body');
    }
  }
}

function incomplete(): AwsRefusal {
  return new AwsRefusal(400, 'IncompleteBody', 'The body is not what its head says');
}
