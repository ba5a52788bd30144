import { type JsonObject, SallyportError } from '@sallyport/protocol';
import type { ScrubPlan } from '../../credentials/index.ts';
import { isObject } from '../../shared/json-rpc.ts';

/** What comes from a server, without its credentials and not larger than allowed [TO-9]. */
export class Cleaner {
  readonly #server: string;
  readonly #most: number;
  readonly #plan: ScrubPlan;

  constructor(server: string, most: number, plan: ScrubPlan) {
    this.#server = server;
    this.#most = most;
    this.#plan = plan;
  }

  /** Throws `OutputSizeLimitExceeded`. The same object when there is nothing to take out. */
  clean(value: JsonObject): JsonObject {
    if (sizeOf(value, this.#most) > this.#most) throw this.#tooLarge();
    if (this.#plan.isEmpty) return value;
    const bytes = Buffer.from(JSON.stringify(value));
    if (this.#plan.overwrite(bytes) === 0) return value;
    try {
      const cleaned: unknown = JSON.parse(bytes.toString('utf8'));
      if (isObject(cleaned)) return cleaned;
    } catch {
      // Stars where a number was: there is no such JSON.
    }
    throw new SallyportError('UpstreamBroken', {
      message: `the answer of the tool server \`${this.#server}\` holds its credential and cannot be shown`,
    });
  }

  cleanText(text: string): string {
    const { text: cleaned } = this.clean({ text });
    return typeof cleaned === 'string' ? cleaned : '';
  }

  #tooLarge(): SallyportError {
    return new SallyportError('OutputSizeLimitExceeded', {
      message: `the answer of the tool server \`${this.#server}\` is larger than ${this.#most} characters`,
      hint: 'ask for less at once',
    });
  }
}

/**
 * Characters of all its texts, roughly; stops counting above `most`. Not by `for in`: on objects of ever new shapes the
 * engine compiled that anew for every few hundred results, which took a third of a call.
 */
function sizeOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let size = 2;
  for (const [key, item] of Object.entries(value)) {
    size += key.length + 4 + sizeOf(item, most - size);
    if (size > most) return size;
  }
  return size;
}
