import { hash } from 'node:crypto';
import type { Action, JsonObject } from '@sallyport/protocol';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { newId } from '../../shared/ids.ts';

/** An action before it is sealed. */
export type ActionDraft = Omit<Action, 'id' | 'binding' | 'fingerprint'>;

/**
 * Seals a draft.
 *
 * `binding` covers everything but the id: an approval holds for exactly this. `fingerprint` covers what makes two
 * actions the same question: who, with which tool, on what, with which credential, with which input. For a
 * request, `sameness` replaces the input: method, URL and digest of the body, no headers.
 */
export function finishAction(draft: ActionDraft, sameness?: JsonObject): Action {
  const { actor, tool, target, input } = draft;
  const question = {
    tenant: actor.tenant,
    ...(actor.agent === undefined ? {} : { agent: actor.agent }),
    ...(actor.client === undefined ? {} : { client: actor.client }),
    tool,
    credential: target.credential ?? null,
    ...(sameness === undefined ? { target, input } : { request: sameness }),
  };
  return Object.freeze({
    id: newId('act'),
    ...draft,
    binding: hash('sha256', canonicalJson(draft)),
    fingerprint: hash('sha256', canonicalJson(question)),
  });
}
