import type { JsonObject } from '../action.ts';
import type { SEAL_PROTOCOL } from './seal.ts';

/** A command for the worker to run, in a namespace in which the worker itself does not exist. */
export interface DispatchOrder {
  readonly dispatch_id: string;
  readonly action: 'exec';
  readonly command: string;
  readonly args: readonly string[];
  /** absolute; absent: where the worker's commands start */
  readonly cwd: string | null;
  readonly env_additions: Readonly<Record<string, string>>;
  readonly timeout_secs: number;
  /** bytes of both channels together; more ends the command */
  readonly max_output_bytes: number;
}

/** What the gateway answers to an envelope; `in_reply_to` is the nonce of what it answers. */
export type GatewayAnswer = { readonly in_reply_to: string | null } & (
  | {
      readonly type: 'tool_result';
      /** one text; images and sound stand in it as placeholders */
      readonly content: string;
      readonly is_error: boolean;
      /** `structured_content`, `attachments` with their base64; `untrusted`: what a tool says is data */
      readonly metadata: JsonObject;
    }
  | {
      readonly type: 'refused';
      /** a code of the error catalogue */
      readonly violation: string;
      readonly message: string;
      readonly hint?: string;
      readonly approval_id?: string;
    }
  | ({ readonly type: 'dispatch' } & DispatchOrder)
  /** the end of a loop that the gateway runs */
  | { readonly type: 'final'; readonly content: readonly JsonObject[] }
);

/** The gateway's Ed25519 signature covers `{payload, timestamp}`, base64url. */
export interface SignedAnswer {
  readonly protocol: typeof SEAL_PROTOCOL;
  readonly payload: GatewayAnswer;
  readonly timestamp: string;
  readonly signature: string;
}
