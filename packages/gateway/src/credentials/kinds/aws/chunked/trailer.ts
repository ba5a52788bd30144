import { notSignable } from '../../kind.ts';
import type { ChunkSigner } from './chunk-signer.ts';

const FIELD = /^([A-Za-z0-9!#$%&'*+.^_`|~-]{1,128}):([\x20-\x7e]{0,4096})$/;
const SIGNATURE = 'x-amz-trailer-signature';

/**
 * What follows the last chunk, with its signature made anew and every other byte as it was.
 *
 * `announced`: the names that the head's `x-amz-trailer` gives; exactly these must be there. Undefined: there is no
 * trailer. Clients end lines with CRLF, or, as AWS's own examples do, with `\n\r\n`.
 */
export function resignTrailer(
  rest: Buffer,
  announced: readonly string[] | undefined,
  signer: ChunkSigner,
): Uint8Array {
  const text = rest.toString('latin1');
  if (announced === undefined) {
    if (text !== '\r\n') throw malformed();
    return rest;
  }
  const lines = text.split('\n').map((line) => line.replace(/\r$/, ''));
  if (lines.length < 3 || lines.at(-1) !== '' || lines.at(-2) !== '') throw malformed();
  const fields = lines.filter((line) => line !== '').map(parseField);
  const signature = fields.pop();
  if (signature?.name !== SIGNATURE || !isSignature(signature.value, signer.length)) throw malformed();
  const named = fields.map((field) => field.name);
  if (named.toSorted().join() !== announced.toSorted().join()) {
    throw notSignable('the trailer of the body is not the one that `x-amz-trailer` announces');
  }
  const canonical = fields.map((field) => `${field.name}:${field.value.trim()}\n`).join('');
  const at = text.lastIndexOf(signature.value);
  const fresh = text.slice(0, at) + signer.trailer(canonical) + text.slice(at + signature.value.length);
  return Buffer.from(fresh, 'latin1');
}

function parseField(line: string): { readonly name: string; readonly value: string } {
  const [, name, value] = FIELD.exec(line) ?? [];
  if (name === undefined || value === undefined) throw malformed();
  return { name: name.toLowerCase(), value: name.toLowerCase() === SIGNATURE ? value.trim() : value };
}

function isSignature(text: string, length: number): boolean {
  return text.length === length && /^[0-9a-f]+\**$/.test(text);
}

function malformed(): Error {
  return notSignable('what follows the last chunk of the body is malformed');
}
