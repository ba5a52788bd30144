import type { Action, Actor, Judgement, LayerName, Opinion } from '@sallyport/protocol';
import type { CompiledAgent, CompiledPolicy } from './compiled-policy.ts';
import { autonomyLayer } from './layers/autonomy.ts';
import { boundaryLayer } from './layers/boundary.ts';
import { identityLayer } from './layers/identity.ts';
import type { Cast, Layer } from './layers/layer.ts';
import { levelLayer } from './layers/level.ts';
import { modeLayer } from './layers/mode.ts';
import { rateLayer } from './layers/rate.ts';
import { rulesLayer } from './layers/rules.ts';
import { strictness } from './layers/strictness.ts';
import { visibilityLayer } from './layers/visibility.ts';
import type { Snapshot } from './snapshot.ts';

/** In the order in which they are asked. The first deny stops. */
const LAYERS: readonly { readonly name: LayerName; readonly ask: Layer }[] = [
  { name: 'identity', ask: identityLayer },
  { name: 'visibility', ask: visibilityLayer },
  { name: 'level', ask: levelLayer },
  { name: 'rate', ask: rateLayer },
  { name: 'boundary', ask: boundaryLayer },
  { name: 'rules', ask: rulesLayer },
  { name: 'autonomy', ask: autonomyLayer },
  { name: 'mode', ask: modeLayer },
];

/** SECURITY: what comes again is judged then; until then it does nothing, so here only who calls counts. */
const CALLER_ALONE: typeof LAYERS = LAYERS.filter(({ name }) => name === 'identity');

const NO_PARENTS: readonly CompiledAgent[] = [];

/**
 * What the policy says about an action, before anyone is asked.
 *
 * Pure, synchronous, total: the same action and snapshot always give the same judgement, and it never throws.
 * The strictest opinion counts; when nobody says anything, the answer is a question.
 */
export function judge(action: Action, snapshot: Snapshot): Judgement {
  // Made at its full size: growing one of eight takes twice the memory, and this runs for every action.
  const layers = snapshot.comesAgain ? CALLER_ALONE : LAYERS;
  const opinions = new Array<Opinion>(layers.length);
  let asked = 0;
  let layer: LayerName = 'identity';
  try {
    const cast = castOf(action.actor, snapshot.policy);
    let strictest: Opinion | undefined;
    for (const { name, ask } of layers) {
      layer = name;
      const opinion = ask(action, snapshot, cast);
      opinions[asked] = opinion;
      asked += 1;
      if (opinion.says === 'deny') {
        opinions.length = asked;
        return {
          outcome: 'deny',
          violation: opinion.violation,
          layer: name,
          reason: opinion.reason,
          opinions,
        };
      }
      if (
        opinion.says !== 'nothing' &&
        (strictest === undefined || strictness(opinion) > strictness(strictest))
      )
        strictest = opinion;
    }
    if (strictest?.says === 'allow' || layers === CALLER_ALONE) return { outcome: 'allow', opinions };
    if (strictest?.says === 'ask')
      return { outcome: 'ask', strength: strictest.strength, reason: strictest.reason, opinions };
    return { outcome: 'ask', strength: 'review', reason: 'no rule is about this', opinions };
  } catch {
    // SECURITY: an error inside a decision is a refusal, never a way past the layers behind it.
    const reason = `the ${layer} layer failed, so the answer is no`;
    opinions[asked] = { layer, says: 'deny', violation: 'EvaluationFailed', reason };
    opinions.length = asked + 1;
    return { outcome: 'deny', violation: 'EvaluationFailed', layer, reason, opinions };
  }
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
