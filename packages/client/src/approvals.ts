import {
  type AllowRule,
  AllowRuleSchema,
  type ApprovalState,
  ApprovalStateSchema,
  type CreatedApproval,
  CreatedApprovalSchema,
  listOf,
  type NewApproval,
} from '@sallyport/protocol';
import { type Call, type Fetch, send } from './http.ts';

export interface ConnectOptions {
  readonly apiKey: string;
  /** agent side of the gateway, `http://127.0.0.1:7180` unless told otherwise */
  readonly url?: string;
  readonly fetch?: Fetch;
}

export interface ApproveOptions {
  /** stops waiting; the question itself goes on until somebody answers or it expires */
  readonly signal?: AbortSignal;
  /** the same key never asks twice */
  readonly idempotencyKey?: string;
}

/** How a question ended. Only `approved: true` is a yes. */
export interface Consent {
  readonly approved: boolean;
  readonly approvalId: string;
  readonly status: ApprovalState['status'];
  /** what the person wrote beside their yes */
  readonly note?: string;
  /** what to do instead of what was asked: use this, not the original */
  readonly override?: string;
}

const DEFAULT_URL = 'http://127.0.0.1:7180';
const POLL_SECONDS = 30;

/** Connects as an API client, which may ask people and never decides. */
export function connect(options: ConnectOptions): ApprovalClient {
  return new ApprovalClient(options);
}

/** Asks people before something is done. */
export class ApprovalClient {
  readonly #url: string;
  readonly #key: string;
  readonly #fetch: Fetch;

  constructor(options: ConnectOptions) {
    this.#url = options.url ?? DEFAULT_URL;
    this.#key = options.apiKey;
    this.#fetch = options.fetch ?? globalThis.fetch;
  }

  /**
   * Asks and waits for the answer. Denied, expired and cancelled are answers too: look at `approved`.
   *
   * Rejects when the gateway refuses the question, cannot be reached, or `signal` aborts: never read that as a yes.
   */
  async approve(question: NewApproval, options: ApproveOptions = {}): Promise<Consent> {
    const created = await this.ask(question, options);
    return this.answerTo(created.approval_id, options);
  }

  /** Asks without waiting. */
  async ask(question: NewApproval, options: ApproveOptions = {}): Promise<CreatedApproval> {
    const { idempotencyKey } = options;
    const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey };
    const call = { method: 'POST', path: '/v1/approvals', body: question, headers } as const;
    return CreatedApprovalSchema.parse(await this.#call(call, options.signal));
  }

  /** Waits for the answer to a question that was asked before. */
  async answerTo(approvalId: string, options: Pick<ApproveOptions, 'signal'> = {}): Promise<Consent> {
    for (;;) {
      options.signal?.throwIfAborted();
      const state = await this.state(approvalId, { ...options, waitSeconds: POLL_SECONDS });
      if (state.status !== 'pending') return toConsent(approvalId, state);
    }
  }

  /** How it stands now, or as soon as it has ended within `waitSeconds` (60 at most). */
  async state(
    approvalId: string,
    options: { readonly waitSeconds?: number; readonly signal?: AbortSignal } = {},
  ): Promise<ApprovalState> {
    const path = `/v1/approvals/${encodeURIComponent(approvalId)}?wait=${options.waitSeconds ?? 0}`;
    return ApprovalStateSchema.parse(await this.#call({ method: 'GET', path }, options.signal));
  }

  /** Permanent allows that people gave this client, newest first. */
  async allowRules(): Promise<readonly AllowRule[]> {
    const page = await this.#call({ method: 'GET', path: '/v1/allow-rules?limit=200' });
    return listOf(AllowRuleSchema).parse(page).items;
  }

  /** Gives a permanent allow back. */
  async revokeRule(ruleId: string): Promise<void> {
    await this.#call({ method: 'DELETE', path: `/v1/allow-rules/${encodeURIComponent(ruleId)}` });
  }

  #call(call: Omit<Call, 'token' | 'signal'>, signal?: AbortSignal): Promise<unknown> {
    return send(this.#fetch, this.#url, {
      ...call,
      token: this.#key,
      ...(signal === undefined ? {} : { signal }),
    });
  }
}

function toConsent(approvalId: string, state: Exclude<ApprovalState, { status: 'pending' }>): Consent {
  const base = { approved: state.status === 'approved', approvalId, status: state.status };
  if (!('decision' in state)) return base;
  const { note, override } = state.decision;
  return { ...base, ...(note === null ? {} : { note }), ...(override === null ? {} : { override }) };
}
