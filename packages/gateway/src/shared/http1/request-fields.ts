import { assertNever } from '../assert-never.ts';
import { type Authority, readAuthority } from './authority.ts';
import { BadMessage } from './bad-message.ts';
import { FIELD, type FieldName } from './field-names.ts';
import { type BodyFraming, FramingFields } from './framing.ts';
import type { RequestLine } from './request-line.ts';

/** What the fields of one request say about the message itself. */
export class RequestFields {
  readonly framing = new FramingFields(false);
  host: Authority | undefined;
  expectsContinue = false;
  #upgrade: string | undefined;

  visit(name: FieldName, value: string): void {
    switch (name.field) {
      case FIELD.other:
        return;
      case FIELD.host:
        this.#visitHost(value);
        return;
      case FIELD.upgrade:
        this.#upgrade = this.#upgrade === undefined ? value : `${this.#upgrade},${value}`;
        return;
      case FIELD.expect:
        if (value.toLowerCase() !== '100-continue') throw new BadMessage('unknown-expectation');
        this.expectsContinue = true;
        return;
      case FIELD.http2Settings:
        // SECURITY: whoever switches to h2c upstream carries requests that nobody here reads.
        throw new BadMessage('h2c-upgrade');
      case FIELD.contentLength:
      case FIELD.transferEncoding:
      case FIELD.connection:
        this.framing.visit(name, value);
        return;
      default:
        assertNever(name.field);
    }
  }

  /** The protocol that the request asks for. Others than WebSocket are refused, h2c by its own name. */
  upgradeOf(line: RequestLine, body: BodyFraming): 'websocket' | undefined {
    const wanted = this.#upgrade?.toLowerCase();
    const asks = this.framing.connectionHas('upgrade');
    if (wanted === undefined) {
      if (asks) throw new BadMessage('unsupported-upgrade');
      return undefined;
    }
    if (wanted.split(',').some((part) => part.trim() === 'h2c' || part.trim() === 'h2'))
      throw new BadMessage('h2c-upgrade');
    if (wanted !== 'websocket' || !asks || line.method !== 'GET' || line.version !== 11)
      throw new BadMessage('unsupported-upgrade');
    // Bytes after such a head are a body to one reader and frames to another.
    if (body.kind !== 'none') throw new BadMessage('upgrade-with-body');
    return 'websocket';
  }

  #visitHost(value: string): void {
    if (this.host !== undefined) throw new BadMessage('second-host');
    if (value === '') throw new BadMessage('empty-host');
    const host = readAuthority(value);
    if (host === undefined) throw new BadMessage('malformed-host');
    this.host = host;
  }
}
