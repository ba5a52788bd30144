import type { RefChange } from '@sallyport/protocol';
import { provesFastForward, readPack } from './pack-ancestry.ts';
import { changesPipelines } from './pipelines.ts';
import { readPackets } from './pkt-line.ts';

/** What a `git-receive-pack` request body asks for. */
export type Push =
  | { readonly kind: 'probe' }
  | {
      readonly kind: 'push';
      readonly refs: readonly RefChange[];
      readonly options: readonly string[];
      /** the pack shows that a file changes which says what pipelines run */
      readonly pipeline: boolean;
    };

const UNKNOWN: RefChange = { ref: '*', change: 'unknown' };
const COMMAND = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^\0\n]+)$/;
const SHALLOW = /^shallow (?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const ZERO = /^0+$/;
/** As git looks for it: in the list of any line, with or without a value. */
const TAKES_OPTIONS = /(?:^|[\s\0])push-options(?:[\s=\0]|$)/;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Reads the refs that a push changes from the packet lines at the start of its body.
 *
 * - A body that is one flush packet and nothing else is a probe: git sends it before a large push.
 * - `create` and `delete` are told by the zero ids. The wire does not say whether an update is forced: it is an
 *   `update` when the pack that comes with it proves that the new commit descends from the old one, `unknown`
 *   when it does not (no proof within the prefix, or a forced one). A tag that moves is `force`.
 * - What cannot be read (signed pushes, names that are not UTF-8, a prefix that ends too early) adds `*` with `unknown`.
 */
export function readPush(bytes: Uint8Array, complete: boolean): Push {
  const { packets, end, ended } = readPackets(bytes);
  if (complete && ended === 'flush' && packets.length === 1 && end === bytes.length) return { kind: 'probe' };

  const updates: { ref: string; from: string; to: string }[] = [];
  const refs: RefChange[] = [];
  let readable = ended === 'flush';
  let capabilities = '';
  let ids = '';
  for (const packet of packets) {
    if (packet.kind === 'flush') break;
    const [line = '', ...rest] = (utf8Of(packet.text) ?? '').replace(/\n$/, '').split('\0');
    capabilities += `\0${rest.join('\0')}`;
    const [, from, to, ref] = COMMAND.exec(line) ?? [];
    if (from === undefined || to === undefined || ref === undefined) {
      if (!SHALLOW.test(line)) readable = false;
      continue;
    }
    if (ZERO.test(to)) refs.push({ ref, change: 'delete' });
    else if (ZERO.test(from)) refs.push({ ref, change: 'create' });
    else updates.push({ ref, from, to });
    if (!ZERO.test(to)) ids = to;
  }
  const options = readable && TAKES_OPTIONS.test(capabilities) ? readOptions(bytes, end) : NO_OPTIONS;
  if (options === undefined) readable = false;
  const objects = readable
    ? readPack(bytes.subarray(options?.end ?? end), ids.length === 64 ? 'sha256' : 'sha1')
    : [];
  for (const { ref, from, to } of updates) {
    if (ref.startsWith('refs/tags/')) refs.push({ ref, change: 'force' });
    else refs.push({ ref, change: provesFastForward(objects, from, to) ? 'update' : 'unknown' });
  }
  if (!readable || refs.length === 0) refs.push(UNKNOWN);
  return { kind: 'push', refs, options: options?.texts ?? [], pipeline: changesPipelines(objects) };
}

interface Options {
  readonly texts: readonly string[];
  /** where the pack begins; absent: behind the commands */
  readonly end?: number;
}

const NO_OPTIONS: Options = { texts: [] };

/** The lines between the commands and the pack; undefined when they cannot be read to their end. */
function readOptions(bytes: Uint8Array, start: number): Options | undefined {
  const { packets, end, ended } = readPackets(bytes, start);
  const texts = packets.flatMap((packet) => (packet.kind === 'data' ? [utf8Of(packet.text)] : []));
  if (ended !== 'flush' || texts.includes(undefined)) return undefined;
  return { texts: texts.flatMap((text) => text?.replace(/\n$/, '') ?? []), end };
}

/** Packets are read byte by byte; names in them are UTF-8. */
function utf8Of(latin1: string): string | undefined {
  try {
    return UTF8.decode(Buffer.from(latin1, 'latin1'));
  } catch {
    return undefined;
  }
}
