import type { HttpRequestHead } from './http-request.ts';
import { decodeText, type JsonMembers, parseJsonObject } from './request-body.ts';
import { normalizeRequestTarget, type RequestTarget } from './request-target.ts';

/** A request as classifiers look at it: normalised, and parsed only as far as somebody asks. */
export class RequestView {
  readonly head: HttpRequestHead;
  readonly target: RequestTarget;
  #segments: readonly string[] | undefined;
  #query: URLSearchParams | undefined;

  constructor(head: HttpRequestHead) {
    this.head = head;
    this.target =
      head.scheme === 'tunnel'
        ? { path: '', query: '', rewritten: false, veiled: false }
        : normalizeRequestTarget(head.target);
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
    this.#segments ??= this.path.slice(1).split('/');
    return this.#segments;
  }

  /** Every value of a query parameter, decoded. */
  query(name: string): readonly string[] {
    if (this.target.query === '') return [];
    this.#query ??= new URLSearchParams(this.target.query);
    return this.#query.getAll(name);
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
    const body = this.wholeBody();
    return body === undefined ? undefined : decodeText(body);
  }

  /** The members of a JSON body that is all here, well formed and without repeated keys. */
  wholeJson(): JsonMembers | undefined {
    const text = this.wholeText();
    return text === undefined ? undefined : parseJsonObject(text);
  }
}
