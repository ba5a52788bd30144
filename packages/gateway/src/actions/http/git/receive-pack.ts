import type { RefChange } from '@sallyport/protocol';
import { PushHeadReader } from '../../../shared/git-wire/push-head.ts';
import { provesFastForward, readPack } from './pack-ancestry.ts';
import { changesPipelines } from './pipelines.ts';

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
const ZERO = /^0+$/;

/**
 * Reads the refs that a push changes from the packet lines at the start of its body.
 *
 * - A body that is one flush packet and nothing else is a probe: git sends it before a large push.
 * - `create` and `delete` are told by the zero ids. The wire does not say whether an update is forced: it is an
 *   `update` when the pack that comes with it proves that the new commit descends from the old one, `unknown`
 *   when it does not (no proof within the prefix, or a forced one). A tag that moves is `force`.
 * - What cannot be read (names that are not UTF-8, a prefix that ends too early) adds `*` with `unknown`. A signed push has the
 *   commands of its certificate.
 */
export function readPush(bytes: Uint8Array, complete: boolean): Push {
  const reader = new PushHeadReader();
  const state = reader.push(bytes);
  const pack = reader.rest();
  if (state.kind === 'nothing' && complete && pack.length === 0) return { kind: 'probe' };

  const readable = state.kind === 'whole';
  const refs: RefChange[] = [];
  let ids = '';
  for (const { to } of reader.commands) if (!ZERO.test(to)) ids = to;
  const objects = readable ? readPack(pack, ids.length === 64 ? 'sha256' : 'sha1') : [];
  const updates: RefChange[] = [];
  for (const { from, to, ref } of reader.commands) {
    if (ZERO.test(to)) refs.push({ ref, change: 'delete' });
    else if (ZERO.test(from)) refs.push({ ref, change: 'create' });
    else if (ref.startsWith('refs/tags/')) updates.push({ ref, change: 'force' });
    else updates.push({ ref, change: provesFastForward(objects, from, to) ? 'update' : 'unknown' });
  }
  refs.push(...updates);
  if (!readable || refs.length === 0) refs.push(UNKNOWN);
  const options = readable ? reader.options : [];
  return { kind: 'push', refs, options, pipeline: changesPipelines(objects) };
}
