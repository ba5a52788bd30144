import { ScrubPlan } from '../../credentials/index.ts';
import type { Secret } from '../../shared/secret.ts';

/** Plans take a while to make and are the same for every request with the same values. */
export class ScrubPlans {
  readonly #known = new WeakMap<Secret, { readonly values: readonly Secret[]; readonly plan: ScrubPlan }>();

  planFor(values: readonly Secret[]): ScrubPlan {
    const [first] = values;
    if (first === undefined) return new ScrubPlan([]);
    const known = this.#known.get(first);
    if (known !== undefined && sameSecrets(known.values, values)) return known.plan;
    const plan = new ScrubPlan(values);
    this.#known.set(first, { values, plan });
    return plan;
  }
}

function sameSecrets(one: readonly Secret[], other: readonly Secret[]): boolean {
  return one.length === other.length && one.every((secret, index) => secret === other[index]);
}
