import { hash } from 'node:crypto';
import type { JsonObject } from '@sallyport/protocol';
import { canonicalJson, quoted } from '../../shared/canonical-json.ts';
import { headerName } from './header-name.ts';

/** Digest of a body that is not there. */
export const EMPTY_BODY = hash('sha256', '');

/** The input of a request's action, as far as its text is concerned. */
export interface HttpInput extends JsonObject {
  readonly body: { bytes: number | null; complete: boolean; sha256: string | null; shown: string };
  readonly headers: readonly (readonly [string, string])[];
  readonly method: string;
  readonly url: string;
}

interface HttpTexts {
  readonly input: string;
  readonly preview: string;
}

/**
 * RFC 8785 texts of input and preview. Refuses half characters.
 *
 * `isHead`: the preview is the request line and one line for each header, as they are. Then method, URL and headers
 * are all in there, and the engine's one look at it tells whether any of them has something to escape.
 */
export function httpTexts(input: HttpInput, preview: string, isHead: boolean): HttpTexts {
  const text = isHead ? JSON.stringify(preview) : '';
  // INVARIANT: whatever is escaped gets longer. The line breaks before the headers do, by one each; if the text is
  // longer by just that, nothing else was escaped, half characters included, and each part may stand as it is.
  const isPlain = isHead && text.length === preview.length + 2 + input.headers.length;
  return isPlain
    ? { input: plainText(input), preview: text }
    : { input: inputText(input), preview: quoted(preview) };
}

function plainText({ body, headers, method, url }: HttpInput): string {
  let list = `{"body":${bodyText(body)},"headers":[`;
  let isFirst = true;
  for (const header of headers) {
    const name = headerName(header[0]);
    list += isFirst ? name.first : name.next;
    list += header[1];
    isFirst = false;
  }
  return (
    list + (isFirst ? `],"method":"${method}","url":"${url}"}` : `"]],"method":"${method}","url":"${url}"}`)
  );
}

// Part by part: the URL was put together a moment ago, which the engine's own writer is slow with.
function inputText({ body, headers, method, url }: HttpInput): string {
  return `{"body":${bodyText(body)},"headers":${canonicalJson(headers)},"method":${quoted(method)},"url":${quoted(url)}}`;
}

const NO_BODY = `{"bytes":null,"complete":true,"sha256":"${EMPTY_BODY}","shown":""}`;

function bodyText({ bytes, complete, sha256, shown }: HttpInput['body']): string {
  // Most requests have none.
  if (bytes === null && complete && sha256 === EMPTY_BODY && shown === '') return NO_BODY;
  const digest = sha256 === null ? 'null' : quoted(sha256);
  return `{"bytes":${canonicalJson(bytes)},"complete":${complete},"sha256":${digest},"shown":${quoted(shown)}}`;
}
