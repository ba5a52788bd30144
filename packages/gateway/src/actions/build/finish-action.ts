import { hash } from 'node:crypto';
import type { Action, Actor, JsonObject } from '@sallyport/protocol';
import { canonicalJson, quoted } from '../../shared/canonical-json.ts';
import { newId } from '../../shared/ids.ts';
import { targetText } from './target-text.ts';

/** An action before it is sealed. */
export type ActionDraft = Omit<Action, 'id' | 'binding' | 'fingerprint'>;

/** RFC 8785 texts of the large parts, where whoever built them has them at hand. */
interface Texts {
  readonly input: string;
  readonly preview: string;
  /** the input without what only comments on it, where there is any: what makes two actions the same question */
  readonly asked?: () => string;
}

/**
 * Seals a draft.
 *
 * `binding` covers everything but the id: an approval holds for exactly this. `fingerprint` covers what makes two
 * actions the same question: who, with which tool, on what, with which credential, with which input. For a
 * request, `sameness` gives what replaces target and input (what only comments on a call is left out of the latter): method, URL, digest of the body, and the headers but
 * for those that differ each time.
 */
export function finishAction(
  draft: ActionDraft,
  sameness?: () => JsonObject,
  texts: Partial<Texts> = {},
): Action {
  const { input = canonicalJson(draft.input), preview = quoted(draft.preview) } = texts;
  return Object.freeze(new SealedAction(draft, { ...texts, input, preview }, sameness));
}

class SealedAction implements Action {
  readonly id = newId('act');
  readonly door: Action['door'];
  readonly actor: Actor;
  readonly tool: string;
  readonly type: Action['type'];
  readonly effect: Action['effect'];
  readonly reach: Action['reach'];
  readonly risk: Action['risk'];
  readonly target: Action['target'];
  readonly input: JsonObject;
  readonly preview: string;
  readonly binding: string;
  readonly #asked: string | (() => JsonObject | string);
  #fingerprint: string | undefined;

  constructor(draft: ActionDraft, texts: Texts, sameness: (() => JsonObject) | undefined) {
    this.door = draft.door;
    this.actor = draft.actor;
    this.tool = draft.tool;
    this.type = draft.type;
    this.effect = draft.effect;
    this.reach = draft.reach;
    this.risk = draft.risk;
    this.target = draft.target;
    this.input = draft.input;
    this.preview = draft.preview;
    const target = targetText(draft.target);
    this.binding = hash('sha256', bindingText(draft, target, texts));
    const { asked } = texts;
    this.#asked =
      sameness ?? (asked === undefined ? `${target},${texts.input}` : () => `${target},${asked()}`);
  }

  /** Only questions need it, and most actions are none: made when somebody first looks. */
  get fingerprint(): string {
    this.#fingerprint ??= hash('sha256', this.#question());
    return this.#fingerprint;
  }

  #question(): string {
    const said = typeof this.#asked === 'string' ? this.#asked : this.#asked();
    const asked = typeof said === 'string' ? said : canonicalJson(said);
    const { credential } = this.target;
    const lent = credential === undefined ? 'null' : quoted(credential);
    return `[${actorTexts(this.actor).who},${quoted(this.tool)},${lent},${asked}]`;
  }
}

/**
 * The RFC 8785 JSON of a draft, put together from that of its parts: keys in sorted order, large parts written once
 * for both digests. A test holds it against the library's own text.
 */
export function bindingText(draft: ActionDraft, target: string, { input, preview }: Texts): string {
  const { actor, door, effect, reach, risk, tool, type } = draft;
  const head = `{"actor":${actorTexts(actor).whole},"door":"${door}","effect":"${effect}","input":${input}`;
  const middle = `,"preview":${preview},"reach":"${reach}","risk":"${risk}","target":${target}`;
  return `${head}${middle},"tool":${quoted(tool)},"type":${quoted(type)}}`;
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
