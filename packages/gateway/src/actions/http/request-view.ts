import { type OutlineMembers, readOutline } from '../../shared/json-outline.ts';
import type { HttpRequestHead } from './http-request.ts';
import { decodeText, type JsonMembers, parseJsonObject } from './request-body.ts';
import { normalizeRequestTarget, type RequestTarget } from './request-target.ts';

const CONTENT_TYPE = /^\s*([\w.+-]+\/[\w.+-]+)\s*(?:;\s*charset\s*=\s*"?([\w-]+)"?\s*)?;?\s*$/;
const JSON_TYPE = /^application\/(?:(?:[\w.-]+\+)?json|x-amz-json-1\.[01])$/;

/** A request as classifiers look at it: normalised, and parsed only as far as somebody asks. */
export class RequestView {
  readonly head: HttpRequestHead;
  readonly target: RequestTarget;
  #segments: readonly string[] | undefined;
  #query: URLSearchParams | undefined;
  #text: string | undefined;
  /** null: it is none */
  #json: JsonMembers | null | undefined;

  constructor(head: HttpRequestHead) {
    this.head = head;
    this.target =
      head.scheme === 'tunnel'
        ? { path: '', query: '', rewritten: false, veiled: false }
        : (head.normalized ?? normalizeRequestTarget(head.target));
  }

  get method(): string {
    return this.head.method;
  }

  get host(): string {
    return this.head.host;
  }

  get path(): string {
    return this.target.path;
  }

  /** GET, HEAD or OPTIONS: what a provider that follows HTTP does not change anything for */
  get isSafe(): boolean {
    return this.method === 'GET' || this.method === 'HEAD' || this.method === 'OPTIONS';
  }

  /** normalised path without the first slash; a trailing slash gives a last empty segment */
  get segments(): readonly string[] {
    this.#segments ??= splitPath(this.path);
    return this.#segments;
  }

  /** Every value of a query parameter, decoded. */
  query(name: string): readonly string[] {
    if (this.target.query === '') return [];
    this.#query ??= new URLSearchParams(this.target.query);
    return this.#query.getAll(name);
  }

  /** Names of all query parameters, decoded, as often as they come. */
  queryNames(): readonly string[] {
    if (this.target.query === '') return [];
    this.#query ??= new URLSearchParams(this.target.query);
    return [...this.#query.keys()];
  }

  hasQuery(name: string): boolean {
    return this.query(name).length > 0;
  }

  /** Every value of a header; `name` in lower case. */
  headers(name: string): readonly string[] {
    const values: string[] = [];
    for (const [key, value] of this.head.headers) {
      if (key.length === name.length && key.toLowerCase() === name) values.push(value);
    }
    return values;
  }

  /**
   * The body, if all of it is here and nothing veils it.
   *
   * SECURITY: a body that goes on after the prefix, or that is compressed, is never the ground for a read: what
   * decides may stand where nobody looked.
   */
  wholeBody(): Uint8Array | undefined {
    if (!this.head.bodyComplete) return undefined;
    const veiled = this.headers('content-encoding').some(
      (value) => value.trim().toLowerCase() !== 'identity',
    );
    return veiled ? undefined : (this.head.bodyPrefix ?? new Uint8Array());
  }

  wholeText(): string | undefined {
    if (this.#text !== undefined) return this.#text;
    const body = this.wholeBody();
    this.#text = body === undefined ? undefined : decodeText(body);
    return this.#text;
  }

  /** `wholeText`, if somebody asked for it. */
  get decoded(): string | undefined {
    return this.#text;
  }

  /**
   * The one media type of the body, in lower case without parameters; `undefined` when there is none, more than
   * one, or another charset than UTF-8.
   */
  mediaType(): string | undefined {
    const [value, ...more] = this.headers('content-type');
    if (value === undefined || more.length > 0) return undefined;
    const [, essence, charset = 'utf-8'] = CONTENT_TYPE.exec(value) ?? [];
    return charset.toLowerCase() === 'utf-8' ? essence?.toLowerCase() : undefined;
  }

  /**
   * What a JSON object says that is all here, as far as a model's provider would act on it: long texts by their
   * beginning. Reads bodies of any size that a door held for it.
   */
  outline(): OutlineMembers | undefined {
    if (!this.isJson) return undefined;
    if (this.head.outline !== undefined) return this.head.outline;
    const body = this.wholeBody();
    return body === undefined ? undefined : readOutline(body);
  }

  get isJson(): boolean {
    return JSON_TYPE.test(this.mediaType() ?? '');
  }

  /**
   * The members of a JSON body that is all here, well formed, without repeated keys, and called JSON.
   *
   * SECURITY: a text can be JSON and a form at once (`{"query":"{ a }","x":"&query=mutation{b}&"}`); the server
   * goes by the media type.
   */
  wholeJson(): JsonMembers | undefined {
    if (this.#json === undefined) {
      const text = this.isJson ? this.wholeText() : undefined;
      this.#json = (text === undefined ? undefined : parseJsonObject(text)) ?? null;
    }
    return this.#json ?? undefined;
  }
}

/** By hand: a third less than cutting the slash off and `split`, and this runs for every request. */
export function splitPath(path: string): readonly string[] {
  const segments: string[] = [];
  let at = 1;
  for (let slash = path.indexOf('/', at); slash !== -1; slash = path.indexOf('/', at)) {
    segments.push(path.slice(at, slash));
    at = slash + 1;
  }
  segments.push(path.slice(at));
  return segments;
}
