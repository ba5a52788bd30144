import type { JsonObject } from '@sallyport/protocol';
import type { Clock } from '../../shared/clock.ts';
import type { CodeSpace, Codes } from '../coordination.ts';

export class MemoryCodes<Value extends JsonObject> implements Codes<Value> {
  readonly #clock: Clock;
  readonly #space: CodeSpace;
  /** in the order of their making, so that of their ends */
  readonly #kept = new Map<string, { readonly value: Value; readonly until: number }>();

  constructor(clock: Clock, space: CodeSpace) {
    this.#clock = clock;
    this.#space = space;
  }

  keep(name: string, value: Value): 'kept' | 'full' {
    const now = this.#clock.now();
    const { ms, most, whenFull } = this.#space;
    for (const [old, { until }] of this.#kept) {
      if (until > now) break;
      this.#kept.delete(old);
    }
    this.#kept.delete(name);
    if (this.#kept.size >= most) {
      if (whenFull === 'refuse') return 'full';
      const oldest = this.#kept.keys().next();
      if (!oldest.done) this.#kept.delete(oldest.value);
    }
    this.#kept.set(name, { value, until: now + ms });
    return 'kept';
  }

  peek(name: string): Value | undefined {
    const kept = this.#kept.get(name);
    return kept === undefined || kept.until <= this.#clock.now() ? undefined : kept.value;
  }

  take(name: string): Value | undefined {
    const value = this.peek(name);
    this.#kept.delete(name);
    return value;
  }
}
