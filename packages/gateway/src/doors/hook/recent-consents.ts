import type { CodeSpace, Codes, Soon } from '../../coordination/index.ts';

/** How long the same call may be asked about once more, and how many are remembered. */
export const CONSENTS: CodeSpace = {
  ...{ name: 'hook.consents', ms: 60_000, most: 1_000, whenFull: 'forget-oldest' },
};

/**
 * Calls that people allowed a moment ago, so that a client's second question about the same call is not theirs again.
 * What cannot be kept, or looked up, is asked about again: that costs a person's time and nothing else.
 */
export class RecentConsents {
  readonly #kept: Codes<Record<string, never>>;

  constructor(kept: Codes<Record<string, never>>) {
    this.#kept = kept;
  }

  keep(question: string): Soon<unknown> {
    const kept = this.#kept.keep(question, {});
    return kept instanceof Promise ? kept.catch(() => {}) : kept;
  }

  /** Whether it was allowed; true once. */
  async take(question: string): Promise<boolean> {
    try {
      return (await this.#kept.take(question)) !== undefined;
    } catch {
      return false;
    }
  }
}
