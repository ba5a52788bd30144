import { hash } from 'node:crypto';
import type { Action, Actor, JsonObject } from '@sallyport/protocol';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { newId } from '../../shared/ids.ts';

/** An action before it is sealed. */
export type ActionDraft = Omit<Action, 'id' | 'binding' | 'fingerprint'>;

/**
 * Seals a draft.
 *
 * `binding` covers everything but the id: an approval holds for exactly this. `fingerprint` covers what makes two
 * actions the same question: who, with which tool, on what, with which credential, with which input. For a
 * request, `sameness` replaces target and input: method, URL and digest of the body, no headers.
 */
export function finishAction(draft: ActionDraft, sameness?: JsonObject): Action {
  const { actor, tool } = draft;
  const target = canonicalJson(draft.target);
  const input = canonicalJson(draft.input);
  const who = canonicalJson([
    actor.tenant,
    actor.agent ?? null,
    actor.client ?? null,
    tool,
    draft.target.credential ?? null,
  ]);
  const question =
    sameness === undefined ? `[${who},${target},${input}]` : `[${who},${canonicalJson(sameness)}]`;
  return Object.freeze({
    id: newId('act'),
    ...draft,
    binding: hash('sha256', bindingText(draft, target, input)),
    fingerprint: hash('sha256', question),
  });
}

/**
 * The RFC 8785 JSON of a draft, put together from that of its parts: keys in sorted order, large parts written once
 * for both digests. A test holds it against the library's own text.
 */
export function bindingText(draft: ActionDraft, target: string, input: string): string {
  const { actor, door, effect, preview, reach, risk, tool, type } = draft;
  const head = `{"actor":${actorText(actor)},"door":"${door}","effect":"${effect}","input":${input}`;
  const middle = `,"preview":${canonicalJson(preview)},"reach":"${reach}","risk":"${risk}","target":${target}`;
  return `${head}${middle},"tool":${canonicalJson(tool)},"type":${canonicalJson(type)}}`;
}

const actorTexts = new WeakMap<Actor, string>();

/** A session acts often, and its actor is one frozen object. */
function actorText(actor: Actor): string {
  const known = actorTexts.get(actor);
  if (known !== undefined) return known;
  const text = canonicalJson(actor);
  if (Object.isFrozen(actor)) actorTexts.set(actor, text);
  return text;
}
