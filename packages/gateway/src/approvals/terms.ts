import type { Risk } from '@sallyport/protocol';
import type { ApprovalsConfig } from '../config/index.ts';
import { durationMs } from '../shared/duration.ts';
import type { Question, QuestionDraft } from './approval/approval.ts';

const MINUTE_MS = 60_000;
const STANDARD_TIERS: Readonly<Record<Risk, string>> = {
  low: '10m',
  medium: '1h',
  high: '4h',
  critical: '24h',
};

type Terms = Pick<Question, 'expiresInMs' | 'quorum' | 'escalation'>;

/** Adds what the config says about time, quorum and escalation. The asker's own wish for a time goes first. */
export function completeQuestion(draft: QuestionDraft, config: ApprovalsConfig): Question {
  const terms = termsFor(draft, config);
  const expiresInMs = draft.expiresInMs ?? terms.expiresInMs;
  if (terms.quorum <= 1) return { ...draft, ...terms, expiresInMs };
  // No grant answers what several people decide, so none is offered.
  const { offer: _offer, wider: _wider, ...question } = draft;
  return { ...question, covers: {}, ...terms, expiresInMs };
}

function termsFor({ type, types = [], risk }: QuestionDraft, config: ApprovalsConfig): Terms {
  const { quorum } = config;
  const people = needsQuorum([type, ...types], quorum?.types ?? []) ? (quorum?.of ?? 1) : 1;
  const timeout = config.timeouts[type] ?? config.timeouts[categoryOf(type)] ?? 'deny';
  if (timeout === 'deny') return { expiresInMs: durationMs(config.timeout), quorum: people };
  if (timeout === 'wait') return { expiresInMs: undefined, quorum: people };
  if (timeout === 'tiered') return { expiresInMs: durationMs(STANDARD_TIERS[risk]), quorum: people };
  switch (timeout.policy) {
    case 'deny':
      return { expiresInMs: durationMs(timeout.after), quorum: people };
    case 'tiered':
      return { expiresInMs: durationMs(timeout.tiers[risk] ?? STANDARD_TIERS[risk]), quorum: people };
    case 'escalate': {
      let afterMs = 0;
      const escalation = timeout.chain.map(({ role, minutes }) => {
        const step = { role, afterMs };
        afterMs += minutes * MINUTE_MS;
        return step;
      });
      return { expiresInMs: afterMs, quorum: people, escalation };
    }
  }
}

function needsQuorum(types: readonly string[], wanted: readonly string[]): boolean {
  return wanted.some((pattern) => types.some((type) => covers(pattern, type)));
}

/** `deploy` covers `deploy:production`. */
function covers(wanted: string, type: string): boolean {
  return wanted === type || wanted === categoryOf(type);
}

function categoryOf(type: string): string {
  const border = type.indexOf(':');
  return border > 0 ? type.slice(0, border) : type;
}
