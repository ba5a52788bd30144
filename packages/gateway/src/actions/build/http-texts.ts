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
 * `head`: the request line and one line for each header, as they are; the preview is this, or this and what is shown of the
 * body after an empty line. Then method, URL and headers are all in there, and the engine's one look at it tells whether
 * any of them has something to escape. Undefined when the preview is something else.
 */
export function httpTexts(input: HttpInput, preview: string, head: string | undefined): HttpTexts {
  const text = head === undefined ? '' : JSON.stringify(head);
  // INVARIANT: whatever is escaped gets longer. The line breaks before the headers do, by one each; if the text is
  // longer by just that, nothing else was escaped, half characters included, and each part may stand as it is.
  const isPlain = head !== undefined && text.length === head.length + 2 + input.headers.length;
  if (!isPlain) return { input: inputText(input), preview: quoted(preview) };
  if (input.body.shown === '') return { input: plainText(input, bodyText(input.body)), preview: text };
  // Written once for both: a text of two parts is the texts of its parts.
  const shown = quoted(input.body.shown);
  return {
    input: plainText(input, bodyText(input.body, shown)),
    preview: `${text.slice(0, -1)}\\n\\n${shown.slice(1)}`,
  };
}

function plainText({ headers, method, url }: HttpInput, body: string): string {
  let list = `{"body":${body},"headers":[`;
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

function bodyText({ bytes, complete, sha256, shown }: HttpInput['body'], text = quoted(shown)): string {
  // Most requests have none.
  if (bytes === null && complete && sha256 === EMPTY_BODY && shown === '') return NO_BODY;
  const digest = sha256 === null ? 'null' : quoted(sha256);
  return `{"bytes":${canonicalJson(bytes)},"complete":${complete},"sha256":${digest},"shown":${text}}`;
}
