import type { Effect, Risk } from '@sallyport/protocol';
import { matchesType, type TypePattern, type TypeRegistry } from '../rules/patterns/action-types.ts';
import type { Autonomy, AutonomyAnswer, Quote } from './compiled-policy.ts';

export type AutonomyPreset = 'full' | 'semi' | 'supervised' | 'locked';
type Answer = (type: string, effect: Effect, risk: Risk) => AutonomyAnswer;

const SEMI_AUTO: readonly TypePattern[] = ['code', 'test', 'docs'].map((category) => ({
  kind: 'category',
  category,
}));

/** Each preset as the map (action type, effect) → answer that the documentation prints. */
const PRESETS: Readonly<Record<AutonomyPreset, Answer>> = {
  full: (_type, _effect, risk) => (risk === 'critical' ? 'human' : 'auto'),
  semi: (type, effect, risk) => {
    if (risk === 'high' || risk === 'critical') return 'human';
    return effect === 'read' || SEMI_AUTO.some((pattern) => matchesType(pattern, type)) ? 'auto' : 'review';
  },
  supervised: (_type, effect, risk) => (effect === 'read' && risk !== 'critical' ? 'auto' : 'human'),
  locked: (_type, effect) => (effect === 'read' ? 'human' : 'deny'),
};

type Override =
  | AutonomyAnswer
  | { readonly read?: AutonomyAnswer | undefined; readonly write?: AutonomyAnswer | undefined };

export interface AutonomySource {
  readonly preset: AutonomyPreset;
  readonly overrides: Readonly<Record<string, Override>>;
}

/** A preset with a person's overrides: a type goes before its category, both before the preset. */
export function compileAutonomy(source: AutonomySource, types: TypeRegistry, quote: Quote): Autonomy {
  const preset = PRESETS[source.preset];
  const exact = new Map<string, Override>();
  const categories = new Map<string, Override>();
  for (const [text, override] of Object.entries(source.overrides)) {
    const pattern = types.parse(text);
    if (pattern?.kind === 'type') exact.set(pattern.type, override);
    else if (pattern?.kind === 'category') categories.set(pattern.category, override);
  }
  const pick = (override: Override | undefined, effect: Effect): AutonomyAnswer | undefined =>
    typeof override === 'object' ? override[effect] : override;
  return {
    ...quote,
    answer: (type, effect, risk) => {
      if (exact.size === 0 && categories.size === 0) return preset(type, effect, risk);
      const category = type.slice(0, Math.max(0, type.indexOf(':')));
      return (
        pick(exact.get(type), effect) ?? pick(categories.get(category), effect) ?? preset(type, effect, risk)
      );
    },
  };
}
