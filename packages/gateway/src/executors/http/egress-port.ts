import type { Duplex, Readable } from 'node:stream';
import type {
  Destination,
  OutgoingExchange,
  OutgoingRequest,
  ResponseHead,
  ResponseSink,
} from '../../shared/http-message.ts';

/** What an executor needs of the way out. It is used after a verdict, never before. */
export interface EgressPort {
  exchange(
    request: OutgoingRequest,
    sink: ResponseSink,
    options: { readonly signal: AbortSignal; readonly preferH2: boolean },
  ): OutgoingExchange;
  connect(destination: Destination, options: { readonly signal: AbortSignal }): Promise<Duplex>;
  upgrade(
    request: OutgoingRequest,
    protocol: string,
    options: { readonly signal: AbortSignal },
  ): Promise<UpgradeAnswer>;
}

export type UpgradeAnswer =
  | { readonly kind: 'switched'; readonly head: ResponseHead; readonly socket: Duplex }
  | { readonly kind: 'answered'; readonly head: ResponseHead; readonly body: Readable };
