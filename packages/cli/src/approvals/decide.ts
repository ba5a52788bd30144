import {
  type ApprovalDetail,
  ApprovalDetailSchema,
  DecisionOutcomeSchema,
  type DecisionOutcomeWire,
  listOf,
  type WiderScope,
} from '@sallyport/protocol';
import type { OperatorClient } from '../operator-client.ts';
import { visibleLine } from '../output.ts';

const ApprovalList = listOf(ApprovalDetailSchema);
export type ApprovalPage = ReturnType<typeof ApprovalList.parse>;

/** What a person answers, in the menu's codes. */
export interface Choice {
  readonly code: '1' | '2' | '3' | '4' | '5' | '6';
  readonly text?: string;
  readonly minutes?: number;
  readonly scope?: WiderScope;
  readonly always?: boolean;
}

/** The answers that one key gives. */
export const KEY_CHOICES: Readonly<Record<string, Choice>> = {
  '1': { code: '1' },
  '2': { code: '2' },
  '3': { code: '3' },
  '6': { code: '6' },
};

export function listPending(operator: OperatorClient, tenant?: string): Promise<ApprovalPage> {
  const query = new URLSearchParams({ status: 'pending', limit: '100' });
  if (tenant !== undefined) query.set('tenant', tenant);
  return operator.call({ method: 'GET', path: `/v1/approvals?${query}` }, (value) =>
    ApprovalList.parse(value),
  );
}

export function findApproval(operator: OperatorClient, id: string): Promise<ApprovalDetail> {
  return operator.call({ method: 'GET', path: `/v1/approvals/${encodeURIComponent(id)}` }, (value) =>
    ApprovalDetailSchema.parse(value),
  );
}

/**
 * Answers a question as it was shown.
 *
 * SECURITY: the binding goes along: if the question is no longer the one that was read, nothing is decided.
 */
export function decide(
  operator: OperatorClient,
  { id, binding }: Pick<ApprovalDetail, 'id' | 'binding'>,
  choice: Choice,
): Promise<DecisionOutcomeWire> {
  return operator.call(
    {
      method: 'POST',
      path: `/v1/approvals/${encodeURIComponent(id)}/decision`,
      body: { ...choice, binding },
    },
    (value) => DecisionOutcomeSchema.parse(value),
  );
}

/** What became of an answer, in one line. */
export function describeDecision({ outcome, missing, approval }: DecisionOutcomeWire): string {
  const what = visibleLine(approval.title);
  switch (outcome) {
    case 'decided':
      return `${approval.id} is ${approval.status}: ${what}`;
    case 'counted':
      return `${approval.id} is counted, ${missing} more must agree: ${what}`;
    case 'kept':
      return `${approval.id} passes once if it is asked again: ${what}`;
  }
}
