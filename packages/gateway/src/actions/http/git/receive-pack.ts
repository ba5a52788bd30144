import type { RefChange } from '@sallyport/protocol';
import { provesFastForward } from './pack-ancestry.ts';
import { readPackets } from './pkt-line.ts';

/** What a `git-receive-pack` request body asks for. */
export type Push =
  | { readonly kind: 'probe' }
  | { readonly kind: 'push'; readonly refs: readonly RefChange[] };

const UNKNOWN: RefChange = { ref: '*', change: 'unknown' };
const COMMAND = /^([0-9a-f]{40}|[0-9a-f]{64}) ([0-9a-f]{40}|[0-9a-f]{64}) (refs\/[^\0\n ]+)$/;
const SHALLOW = /^shallow (?:[0-9a-f]{40}|[0-9a-f]{64})$/;
const ZERO = /^0+$/;

/**
 * Reads the refs that a push changes from the packet lines at the start of its body.
 *
 * - A body that is one flush packet and nothing else is a probe: git sends it before a large push.
 * - `create` and `delete` are told by the zero ids. The wire does not say whether an update is forced: it is an
 *   `update` when the pack that comes with it proves that the new commit descends from the old one, `unknown`
 *   when it does not (no proof within the prefix, or a forced one). A tag that moves is `force`.
 * - What cannot be read (signed pushes, a prefix that ends too early) adds `*` with `unknown`.
 */
export function readPush(bytes: Uint8Array, complete: boolean): Push {
  const { packets, end, ended } = readPackets(bytes);
  if (complete && ended === 'flush' && packets.length === 1 && end === bytes.length) return { kind: 'probe' };

  const updates: { ref: string; from: string; to: string }[] = [];
  const refs: RefChange[] = [];
  let readable = ended === 'flush';
  let capabilities = '';
  for (const packet of packets) {
    if (packet.kind === 'flush') break;
    const [line = '', ...rest] = packet.text.replace(/\n$/, '').split('\0');
    if (rest.length > 0) capabilities = rest.join(' ');
    const [, from, to, ref] = COMMAND.exec(line) ?? [];
    if (from === undefined || to === undefined || ref === undefined) {
      if (!SHALLOW.test(line)) readable = false;
      continue;
    }
    if (ZERO.test(to)) refs.push({ ref, change: 'delete' });
    else if (ZERO.test(from)) refs.push({ ref, change: 'create' });
    else updates.push({ ref, from, to });
  }
  const packStart = readable && updates.length > 0 ? startOfPack(bytes, end, capabilities) : undefined;
  const pack = packStart === undefined ? undefined : bytes.subarray(packStart);
  for (const { ref, from, to } of updates) {
    if (ref.startsWith('refs/tags/')) refs.push({ ref, change: 'force' });
    else refs.push({ ref, change: provesFastForward(pack, from, to) ? 'update' : 'unknown' });
  }
  if (!readable || refs.length === 0) refs.push(UNKNOWN);
  return { kind: 'push', refs };
}

function startOfPack(bytes: Uint8Array, end: number, capabilities: string): number | undefined {
  if (!capabilities.split(' ').includes('push-options')) return end;
  const options = readPackets(bytes, end);
  return options.ended === 'flush' ? options.end : undefined;
}
