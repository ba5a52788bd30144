import type { Verdict } from '@sallyport/protocol';
import type { QuestionDraft } from '../../approvals/index.ts';
import type { Grant } from '../grants/grant.ts';
import { type Refusal, refusal } from './verdicts.ts';

/** What the gate says to a question that a client only declares: nothing runs here, so nothing is allowed here. */
export type Considered =
  | { readonly kind: 'refused'; readonly verdict: Refusal }
  | { readonly kind: 'granted'; readonly grant: Grant; readonly draft: QuestionDraft }
  | { readonly kind: 'asked'; readonly draft: QuestionDraft };

/** What the trail says about a declared action: who answered it, or that people are asked. */
export function verdictOf(result: Considered, opinions: Verdict['opinions']): Verdict {
  switch (result.kind) {
    case 'refused':
      return result.verdict;
    case 'granted':
      return { kind: 'allow', by: 'grant', grant: result.grant.id, opinions };
    case 'asked':
      return refusal('ApprovalPending', 'people are asked', opinions);
  }
}
