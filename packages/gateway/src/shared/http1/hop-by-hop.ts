import type { Header } from '../http-message.ts';
import { lowerFieldName } from './field-names.ts';

const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-authentication-info',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'http2-settings',
]);

/** Whether a field concerns one connection only. `Proxy-*` never passes a proxy, whatever it is. */
export function isHopByHop(lowerName: string): boolean {
  return HOP_BY_HOP.has(lowerName) || lowerName.startsWith('proxy-');
}

// Fields that `Connection` may not take away: without them a message would mean something else to the next reader.
const KEPT_ANYWAY: ReadonlySet<string> = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
]);

/** The lower-case names that `Connection` fields nominate, apart from `close` and `keep-alive`. */
export function nominatedFields(headers: readonly Header[]): ReadonlySet<string> | undefined {
  let names: Set<string> | undefined;
  for (const [name, value] of headers) {
    if (name.length !== 10 || lowerFieldName(name) !== 'connection') continue;
    for (const part of value.split(',')) {
      const nominated = part.trim().toLowerCase();
      if (nominated === 'close' || nominated === 'keep-alive' || KEPT_ANYWAY.has(nominated)) continue;
      names ??= new Set();
      names.add(nominated);
    }
  }
  return names;
}

/** The fields that go on: neither hop-by-hop nor nominated by `Connection`. */
export function withoutHopByHop(headers: readonly Header[]): Header[] {
  const nominated = nominatedFields(headers);
  const kept: Header[] = [];
  for (const header of headers) {
    const lower = lowerFieldName(header[0]);
    if (!isHopByHop(lower) && nominated?.has(lower) !== true) kept.push(header);
  }
  return kept;
}
