import { setTimeout as delay } from 'node:timers/promises';
import type { Attested, DispatchOrder, GatewayAnswer, JsonObject, SignedAnswer } from '@sallyport/protocol';
import { exchangeJson, type JsonAnswer } from './post-json.ts';
import type { OrderEnd } from './run-order.ts';
import { WorkerError } from './worker-error.ts';
import { isSignedBy, newNonce, WorkerKey } from './worker-key.ts';
import type { Workload } from './workload.ts';

/** How long a gateway that is being restarted is waited for. */
const RECONNECT_MS = 30_000;
const RETRY_MS = 200;

export interface SealClientOptions {
  /** runs a command that the gateway gives; never throws */
  readonly runOrder: (order: DispatchOrder) => Promise<OrderEnd>;
  readonly reconnectMs?: number;
}

/** How a tool call ended. */
export type CallAnswer = Extract<GatewayAnswer, { type: 'tool_result' | 'refused' }>;

/**
 * Speaks for one workload: attests, signs, checks what comes back, and runs the commands that it is given.
 *
 * A message waits for a gateway that is being restarted. One whose connection broke is not sent again: whether the
 * gateway did what it says is then not known.
 */
export class SealClient {
  readonly #workload: Workload;
  readonly #options: SealClientOptions;
  readonly #key = new WorkerKey();
  #token: string | undefined;
  /** the gateway has, or may have, our key */
  #mayBeKnown = false;
  #attesting: Promise<Attested> | undefined;

  constructor(workload: Workload, options: SealClientOptions) {
    this.#workload = workload;
    this.#options = options;
  }

  /** With the one-time secret; after that with proof of the key that it gave then. Throws `AttestationRefused`. */
  attest(): Promise<Attested> {
    this.#attesting ??= this.#attest().finally(() => {
      this.#attesting = undefined;
    });
    return this.#attesting;
  }

  /** Calls a tool, and runs the commands that its answer asks for. */
  async call(tool: string, input: JsonObject): Promise<CallAnswer> {
    let answer = await this.#say({ type: 'tool_call', tool, arguments: input });
    while (answer.type === 'dispatch') {
      const { dispatch_id } = answer;
      const end = await this.#options.runOrder(answer);
      const { execution_id } = this.#workload;
      answer = await this.#say({ type: 'dispatch_result', execution_id, dispatch_id, ...end });
    }
    if (answer.type === 'final') throw new WorkerError('AnswerNotTrusted', 'the answer is to something else');
    return answer;
  }

  async #attest(): Promise<Attested> {
    let answer: JsonAnswer;
    try {
      answer = await this.#post('/v1/seal/attest', () => (this.#mayBeKnown ? this.#proof() : this.#secret()));
    } catch (error) {
      // The secret may have been spent on an answer that got lost; then the gateway has our key.
      this.#mayBeKnown = true;
      throw error;
    }
    if (answer.status !== 200) throw new WorkerError('AttestationRefused', messageIn(answer.body));
    this.#mayBeKnown = true;
    // The gateway's word; a wrong one gets this worker nothing but refusals.
    const attested = answer.body as Attested;
    this.#token = attested.security_token;
    return attested;
  }

  #secret(): JsonObject {
    const { workload_id, attestation_secret } = this.#workload;
    return { public_key: this.#key.publicText, workload_id, attestation_secret };
  }

  #proof(): JsonObject {
    const { workload_id } = this.#workload;
    const public_key = this.#key.publicText;
    const proof = { nonce: newNonce(), timestamp: new Date().toISOString() };
    const signature = this.#key.sign({ ...proof, public_key, workload_id });
    return { public_key, workload_id, proof: { ...proof, signature } };
  }

  async #say(message: JsonObject): Promise<GatewayAnswer> {
    const first = await this.#envelope(message);
    if (first.type !== 'refused' || first.violation !== 'SecurityTokenRefused') return first;
    // Refused before anything was done: the gateway was restarted, or the token is old.
    await this.attest();
    return this.#envelope(message);
  }

  async #envelope(message: JsonObject): Promise<GatewayAnswer> {
    let nonce = '';
    const answer = await this.#post('/v1/dispatch-gateway', () => {
      nonce = newNonce();
      const signed = {
        payload: { ...message, nonce },
        security_token: this.#token ?? '',
        timestamp: new Date().toISOString(),
      };
      return { protocol: 'seal/v1', signature: this.#key.sign(signed), ...signed };
    });
    return this.#believed(answer, nonce);
  }

  /** SECURITY: an order is carried out only when the gateway signed it, as the answer to this very message. */
  #believed({ body }: JsonAnswer, nonce: string): GatewayAnswer {
    const { payload, timestamp, signature } = { ...(body as Partial<SignedAnswer>) };
    const isSigned =
      payload !== undefined &&
      typeof signature === 'string' &&
      isSignedBy(this.#workload.gateway_public_key, { payload, timestamp }, signature);
    if (!isSigned || payload.in_reply_to !== nonce)
      throw new WorkerError('AnswerNotTrusted', messageIn(body));
    return payload;
  }

  /** Signed once the gateway is there, since what is signed is good for seconds. */
  async #post(path: string, make: () => JsonObject): Promise<JsonAnswer> {
    const { gateway } = this.#workload;
    const until = performance.now() + (this.#options.reconnectMs ?? RECONNECT_MS);
    for (;;) {
      try {
        await exchangeJson(new URL('/healthz', gateway));
        break;
      } catch (error) {
        if (performance.now() > until) throw error;
        await delay(RETRY_MS);
      }
    }
    return exchangeJson(new URL(path, gateway), make());
  }
}

/** What an unsigned answer says, for people. */
function messageIn(body: unknown): string {
  const error = typeof body === 'object' && body !== null && 'error' in body ? body.error : undefined;
  const isError = typeof error === 'object' && error !== null && 'code' in error && 'message' in error;
  return isError
    ? `${String(error.code)}: ${String(error.message)}`
    : 'the answer is not signed by the gateway';
}
