import type { Action, Opinion } from '@sallyport/protocol';
import { lineOf } from '../../targets/index.ts';
import type { Autonomy, AutonomyAnswer } from '../policy/compiled-policy.ts';
import { stricterOf } from '../rules/strictness.ts';
import { ask, deny, type Layer, silent } from './layer.ts';

const SILENT = silent('autonomy');
const ORDER: Readonly<Record<AutonomyAnswer, number>> = { auto: 0, review: 1, human: 2, deny: 3 };

/** Layer 7: action type and effect → auto, review, human or deny. `auto` acts as a last `allow` rule. */
export const autonomyLayer: Layer = (action, _snapshot, { acting, parents }) => {
  let result = acting?.autonomy === undefined ? SILENT : opinionOf(acting.autonomy, action);
  for (const { autonomy } of parents) {
    if (autonomy === undefined) continue;
    const opinion = opinionOf(autonomy, action);
    // SECURITY: a parent's `auto` allows nothing to the agent that it asks.
    if (opinion.says !== 'allow') result = stricterOf(result, opinion);
  }
  return result;
};

function opinionOf(autonomy: Autonomy, action: Action): Opinion {
  const line = lineOf(action.target);
  let answer = autonomy.answer(action.type, action.effect, action.risk);
  let known = true;
  if (line !== undefined) {
    known = line.unknown === undefined && line.commands.length > 0;
    for (const fact of line.commands) {
      answer = stricter(answer, autonomy.answer(fact.type, fact.effect, fact.risk));
      if (fact.alsoType !== undefined)
        answer = stricter(answer, autonomy.answer(fact.alsoType, fact.effect, fact.risk));
      if (fact.unknown !== undefined || fact.program === '') known = false;
    }
    // A command that cannot be known is a write of the highest risk, whatever its facts say.
    if (!known) answer = stricter(answer, autonomy.answer('custom:cli', 'write', 'critical'));
  }
  switch (answer) {
    case 'auto':
      // SECURITY: like an `allow` for a type, `auto` never covers what cannot be known.
      return known
        ? { layer: 'autonomy', says: 'allow', reason: `autonomy \`${autonomy.rule}\` needs nobody for this` }
        : SILENT;
    case 'review':
      return ask('autonomy', 'review', `autonomy \`${autonomy.rule}\` wants a review of this`, autonomy);
    case 'human':
      return ask('autonomy', 'human', `autonomy \`${autonomy.rule}\` wants a person for this`, autonomy);
    case 'deny':
      return deny('autonomy', 'AutonomyLocked', `autonomy \`${autonomy.rule}\` excludes this`, autonomy);
  }
}

function stricter(a: AutonomyAnswer, b: AutonomyAnswer): AutonomyAnswer {
  return ORDER[b] > ORDER[a] ? b : a;
}
