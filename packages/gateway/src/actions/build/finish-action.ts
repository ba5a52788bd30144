import { hash } from 'node:crypto';
import type { Action, Actor, JsonObject } from '@sallyport/protocol';
import { canonicalJson } from '../../shared/canonical-json.ts';
import { newId } from '../../shared/ids.ts';

/** An action before it is sealed. */
export type ActionDraft = Omit<Action, 'id' | 'binding' | 'fingerprint'>;

/** RFC 8785 texts of the large parts, where whoever built them has them at hand. */
interface Texts {
  readonly target: string;
  readonly input: string;
}

/**
 * Seals a draft.
 *
 * `binding` covers everything but the id: an approval holds for exactly this. `fingerprint` covers what makes two
 * actions the same question: who, with which tool, on what, with which credential, with which input. For a
 * request, `sameness` replaces target and input: method, URL and digest of the body, no headers.
 */
export function finishAction(
  draft: ActionDraft,
  sameness?: JsonObject,
  texts: Texts = textsOf(draft),
): Action {
  const { door, actor, tool, type, effect, reach, risk, target, input, preview } = draft;
  const asked = sameness === undefined ? `${texts.target},${texts.input}` : canonicalJson(sameness);
  const question = `[${actorTexts(actor).who},${canonicalJson(tool)},${canonicalJson(target.credential ?? null)},${asked}]`;
  return Object.freeze({
    id: newId('act'),
    door,
    actor,
    tool,
    type,
    effect,
    reach,
    risk,
    target,
    input,
    preview,
    binding: hash('sha256', bindingText(draft, texts)),
    fingerprint: hash('sha256', question),
  });
}

function textsOf({ target, input }: ActionDraft): Texts {
  return { target: canonicalJson(target), input: canonicalJson(input) };
}

/**
 * The RFC 8785 JSON of a draft, put together from that of its parts: keys in sorted order, large parts written once
 * for both digests. A test holds it against the library's own text.
 */
export function bindingText(draft: ActionDraft, { target, input }: Texts): string {
  const { actor, door, effect, preview, reach, risk, tool, type } = draft;
  const head = `{"actor":${actorTexts(actor).whole},"door":"${door}","effect":"${effect}","input":${input}`;
  const middle = `,"preview":${canonicalJson(preview)},"reach":"${reach}","risk":"${risk}","target":${target}`;
  return `${head}${middle},"tool":${canonicalJson(tool)},"type":${canonicalJson(type)}}`;
}

interface ActorTexts {
  readonly whole: string;
  /** whose question it is: the session plays no part */
  readonly who: string;
}

const known = new WeakMap<Actor, ActorTexts>();

/** A session acts often, and its actor is one frozen object. */
function actorTexts(actor: Actor): ActorTexts {
  const kept = known.get(actor);
  if (kept !== undefined) return kept;
  const { tenant, agent = null, client = null } = actor;
  const texts = { whole: canonicalJson(actor), who: canonicalJson([tenant, agent, client]) };
  if (Object.isFrozen(actor)) known.set(actor, texts);
  return texts;
}
