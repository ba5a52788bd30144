import { type GatewayAnswer, SEAL_PROTOCOL, type SignedAnswer } from '@sallyport/protocol';
import { canonicalJson } from '../../shared/canonical-json.ts';
import type { Clock } from '../../shared/clock.ts';
import type { SealKey } from './seal-key.ts';

/** Signs what the gateway says, so that a worker does what its gateway told it, and nothing else. */
export function signAnswer(payload: GatewayAnswer, key: SealKey, clock: Clock): SignedAnswer {
  const timestamp = new Date(clock.now()).toISOString();
  return {
    protocol: SEAL_PROTOCOL,
    payload,
    timestamp,
    signature: key.sign(canonicalJson({ payload, timestamp })),
  };
}
