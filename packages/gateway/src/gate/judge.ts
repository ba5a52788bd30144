import { type Action, type Actor, type Judgement, LAYERS, type Opinion } from '@sallyport/protocol';
import type { CompiledAgent, CompiledPolicy } from './compiled-policy.ts';
import { autonomyLayer } from './layers/autonomy.ts';
import { boundaryLayer } from './layers/boundary.ts';
import { identityLayer } from './layers/identity.ts';
import type { Cast } from './layers/layer.ts';
import { levelLayer } from './layers/level.ts';
import { modeLayer } from './layers/mode.ts';
import { rateLayer } from './layers/rate.ts';
import { rulesLayer } from './layers/rules.ts';
import { strictness } from './layers/strictness.ts';
import { visibilityLayer } from './layers/visibility.ts';
import type { Snapshot } from './snapshot.ts';

const NO_PARENTS: readonly CompiledAgent[] = [];

/**
 * What the policy says about an action, before anyone is asked.
 *
 * Pure, synchronous, total: the same action and snapshot always give the same judgement, and it never throws.
 * The strictest opinion counts; when nobody says anything, the answer is a question.
 */
export function judge(action: Action, snapshot: Snapshot): Judgement {
  // Made at its full size: growing one of eight takes twice the memory, and this runs for every action.
  const heard: Heard = { opinions: new Array<Opinion>(LAYERS.length), count: 0, strictest: undefined };
  try {
    const cast = castOf(action.actor, snapshot.policy);
    // In this order; the first deny stops. Each by its name, not from a table: the engine then sees through the calls.
    return (
      hear(heard, identityLayer(action, snapshot, cast)) ??
      // SECURITY: what comes again is judged then; until then it does nothing, so here only who calls counts.
      (snapshot.comesAgain ? { outcome: 'allow', opinions: opinionsOf(heard) } : undefined) ??
      hear(heard, visibilityLayer(action, snapshot, cast)) ??
      hear(heard, levelLayer(action, snapshot, cast)) ??
      hear(heard, rateLayer(action, snapshot, cast)) ??
      hear(heard, boundaryLayer(action, snapshot, cast)) ??
      hear(heard, rulesLayer(action, snapshot, cast)) ??
      hear(heard, autonomyLayer(action, snapshot, cast)) ??
      hear(heard, modeLayer(action, snapshot, cast)) ??
      judgementOf(heard)
    );
  } catch {
    // SECURITY: an error inside a decision is a refusal, never a way past the layers behind it.
    const layer = LAYERS[heard.count] ?? 'identity';
    const reason = `the ${layer} layer failed, so the answer is no`;
    const opinion = { layer, says: 'deny', violation: 'EvaluationFailed', reason } as const;
    return {
      outcome: 'deny',
      violation: 'EvaluationFailed',
      layer,
      reason,
      opinions: [...opinionsOf(heard), opinion],
    };
  }
}

/** What the layers said so far. */
interface Heard {
  readonly opinions: Opinion[];
  count: number;
  strictest: Opinion | undefined;
}

/** Takes down what the next layer says; the judgement, when that is a deny. */
function hear(heard: Heard, opinion: Opinion): Judgement | undefined {
  heard.opinions[heard.count] = opinion;
  heard.count += 1;
  const { says } = opinion;
  if (says === 'nothing') return undefined;
  if (says === 'deny') {
    const { violation, layer, reason } = opinion;
    return { outcome: 'deny', violation, layer, reason, opinions: opinionsOf(heard) };
  }
  if (heard.strictest === undefined || strictness(opinion) > strictness(heard.strictest))
    heard.strictest = opinion;
  return undefined;
}

function opinionsOf({ opinions, count }: Heard): readonly Opinion[] {
  opinions.length = count;
  return opinions;
}

function judgementOf({ opinions, strictest }: Heard): Judgement {
  if (strictest?.says === 'allow') return { outcome: 'allow', opinions };
  if (strictest?.says === 'ask')
    return { outcome: 'ask', strength: strictest.strength, reason: strictest.reason, opinions };
  return { outcome: 'ask', strength: 'review', reason: 'no rule is about this', opinions };
}

/** The agents that an actor's actions are judged for. */
export function castOf(actor: Actor, policy: CompiledPolicy): Cast {
  const acting = actor.agent === undefined ? undefined : policy.agents.get(actor.agent);
  const { chain } = actor;
  if (chain.length === 0 || (chain.length === 1 && chain[0] === actor.agent))
    return { acting, parents: NO_PARENTS };
  // An agent of the chain that is not configured is refused by the identity layer.
  const parents = chain.filter((name) => name !== actor.agent).map((name) => policy.agents.get(name));
  return { acting, parents: parents.filter((agent) => agent !== undefined) };
}
