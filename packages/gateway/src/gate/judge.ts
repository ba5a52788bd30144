import { type Action, type Actor, type Judgement, LAYERS, type Opinion } from '@sallyport/protocol';
import { autonomyLayer } from './layers/autonomy.ts';
import { boundaryLayer } from './layers/boundary.ts';
import { identityLayer } from './layers/identity.ts';
import type { Cast } from './layers/layer.ts';
import { levelLayer } from './layers/level.ts';
import { modeLayer } from './layers/mode.ts';
import { rateLayer } from './layers/rate.ts';
import { rulesLayer } from './layers/rules.ts';
import { visibilityLayer } from './layers/visibility.ts';
import type { CompiledAgent, CompiledPolicy } from './policy/compiled-policy.ts';
import type { Snapshot } from './policy/snapshot.ts';
import { strictness } from './rules/strictness.ts';

const NO_PARENTS: readonly CompiledAgent[] = [];

/**
 * What the policy says about an action, before anyone is asked.
 *
 * Pure, synchronous, total: the same action and snapshot always give the same judgement, and it never throws.
 * The strictest opinion counts; when nobody says anything, the answer is a question.
 */
export function judge(action: Action, snapshot: Snapshot): Judgement {
  // Made at its full size: growing one of eight takes twice the memory, and this runs for every action.
  const opinions = new Array<Opinion>(LAYERS.length);
  try {
    const cast = castOf(action.actor, snapshot.policy);
    // In the order of `LAYERS`; the first deny stops. Each by its name, not in a loop: then the engine sees through the
    // calls, and a judgement takes a tenth less time.
    opinions[0] = identityLayer(action, snapshot, cast);
    if (opinions[0].says === 'deny') return denial(opinions, opinions[0], 1);
    // SECURITY: what comes again is judged then; until then it does nothing, so here only who calls counts.
    if (snapshot.comesAgain) return { outcome: 'allow', opinions: opinions.slice(0, 1) };
    opinions[1] = visibilityLayer(action, snapshot, cast);
    if (opinions[1].says === 'deny') return denial(opinions, opinions[1], 2);
    opinions[2] = levelLayer(action, snapshot, cast);
    if (opinions[2].says === 'deny') return denial(opinions, opinions[2], 3);
    opinions[3] = rateLayer(action, snapshot, cast);
    if (opinions[3].says === 'deny') return denial(opinions, opinions[3], 4);
    opinions[4] = boundaryLayer(action, snapshot, cast);
    if (opinions[4].says === 'deny') return denial(opinions, opinions[4], 5);
    opinions[5] = rulesLayer(action, snapshot, cast);
    if (opinions[5].says === 'deny') return denial(opinions, opinions[5], 6);
    opinions[6] = autonomyLayer(action, snapshot, cast);
    if (opinions[6].says === 'deny') return denial(opinions, opinions[6], 7);
    opinions[7] = modeLayer(action, snapshot, cast);
    if (opinions[7].says === 'deny') return denial(opinions, opinions[7], 8);
    return judgementOf(opinions);
  } catch {
    // SECURITY: an error inside a decision is a refusal, never a way past the layers behind it.
    const asked = opinions.findIndex((opinion) => opinion === undefined);
    const layer = LAYERS[asked] ?? 'mode';
    const reason = `the ${layer} layer failed, so the answer is no`;
    opinions[asked] = { layer, says: 'deny', violation: 'EvaluationFailed', reason };
    opinions.length = asked + 1;
    return { outcome: 'deny', violation: 'EvaluationFailed', layer, reason, opinions };
  }
}

type Denial = Extract<Opinion, { says: 'deny' }>;

function denial(opinions: Opinion[], { layer, reason, violation }: Denial, asked: number): Judgement {
  opinions.length = asked;
  return { outcome: 'deny', violation, layer, reason, opinions };
}

/** The strictest opinion counts, and of equally strict ones the first. */
function judgementOf(opinions: readonly Opinion[]): Judgement {
  let strictest: Opinion | undefined;
  for (const opinion of opinions)
    if (
      opinion.says !== 'nothing' &&
      (strictest === undefined || strictness(opinion) > strictness(strictest))
    )
      strictest = opinion;
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

/** A judgement in two words: `allow`, `ask human`, `deny RuleDenied`. What the trail keeps and replays compare. */
export function shortJudgement(judgement: Judgement): string {
  switch (judgement.outcome) {
    case 'allow':
      return 'allow';
    case 'ask':
      return `ask ${judgement.strength}`;
    case 'deny':
      return `deny ${judgement.violation}`;
  }
}
