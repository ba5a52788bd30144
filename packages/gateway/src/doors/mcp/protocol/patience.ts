import type { JsonObject } from '@sallyport/protocol';
import type { RpcId } from '../../../shared/json-rpc.ts';
import type { Exchange } from './exchange.ts';
import type { McpClient } from './mcp-client.ts';

/** Time between two signs of life while people decide, in ms */
const TICK_MS = 5_000;
/** Waiting is hardly progress: what the tool reports later must be more, and look as it did. */
const STEP = 0.000_001;
/** A client that gave up after a while is answered well before that the next time. */
const SAFETY = 0.7;

/** The token that a client wants progress for its request under. */
export function progressTokenOf(params: JsonObject): RpcId | undefined {
  const meta = params._meta;
  if (typeof meta !== 'object' || meta === null || Array.isArray(meta) || !('progressToken' in meta))
    return undefined;
  const { progressToken: token } = meta;
  return typeof token === 'string' || typeof token === 'number' ? token : undefined;
}

export interface WaitOptions {
  readonly client: McpClient;
  readonly exchange: Exchange;
  readonly token: RpcId | undefined;
  /** how long a client waits that asks for no progress, in ms */
  readonly patienceMs: number;
}

/** A client that waits for people: it is told that somebody is still there, and let go before it gives up. */
export class Wait {
  readonly #options: WaitOptions;
  readonly #since = performance.now();
  #ticking: NodeJS.Timeout | undefined;
  #letGo: NodeJS.Timeout | undefined;
  #progress = 0;

  /** `onLetGo`: it should be answered now, whatever people do. */
  constructor(options: WaitOptions, approval: string, onLetGo: () => void) {
    this.#options = options;
    const { client, exchange, token, patienceMs } = options;
    exchange.hold();
    // A client that asks for progress is expected to wait as long as there is some, until it shows that it does not.
    const most = Math.min(
      client.gaveUpAfter * SAFETY,
      token === undefined ? patienceMs : Number.POSITIVE_INFINITY,
    );
    if (Number.isFinite(most)) this.#letGo = setTimeout(onLetGo, most);
    if (token !== undefined) {
      const tick = (): void => {
        this.#progress += STEP;
        const message = `waiting for a person to answer ${approval}`;
        const params = { progressToken: token, progress: this.#progress, message };
        client.notify('notifications/progress', params, exchange);
      };
      tick();
      this.#ticking = setInterval(tick, TICK_MS);
    }
  }

  /** Progress of the tool itself goes on from here: it must grow. */
  get progress(): number {
    return this.#progress;
  }

  end(): void {
    clearInterval(this.#ticking);
    clearTimeout(this.#letGo);
    const { client, exchange } = this.#options;
    if (exchange.signal.aborted && !client.signal.aborted)
      client.noteGivenUp(performance.now() - this.#since);
  }
}
