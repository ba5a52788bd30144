import { type ApprovalDetail, CONNECT } from '@sallyport/protocol';
import { relativeTime, visibleLine, visibleLines, wrapLine } from '../output.ts';

/** The menu, in the words that every channel uses. */
export const KEYS = '1 Allow once   2 Allow for this session   3 Deny   6 Always allow this';

/** The same where there is no room. */
export const SHORT_KEYS = '1 once  2 session  3 deny  6 always';

/** One line: what waits, who wants it, since when. */
export function questionRow(approval: ApprovalDetail, now: number): readonly string[] {
  const until = approval.expires_at === null ? 'no limit' : `ends ${relativeTime(approval.expires_at, now)}`;
  return [approval.id, approval.risk, visibleLine(asker(approval)), until, visibleLine(approval.title)];
}

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** Everything about a question but its preview; each value is one line and hides nothing. */
export function questionFacts(approval: ApprovalDetail, now: number): readonly Fact[] {
  const { reason, covers, quorum, agreed } = approval;
  const source = [
    `layer ${reason.layer}`,
    reason.rule === null ? '' : `rule \`${reason.rule}\``,
    reason.at ?? '',
  ];
  const facts: readonly (Fact | undefined)[] = [
    { label: 'What', value: approval.title },
    approval.does === null ? undefined : { label: 'Does', value: approval.does },
    {
      label: 'Why',
      value: `${reason.reason} (${source.filter((part) => part !== '').join(', ')})${approval.strength === 'each-time' ? '; a person is asked each time' : ''}`,
    },
    ...reason.also.map((value) => ({ label: 'And', value })),
    approval.credential === null
      ? undefined
      : { label: 'Lends', value: `the credential \`${approval.credential}\`` },
    {
      label: 'Who',
      value: `${asker(approval)}${approval.blocked ? ', waiting' : ''}, tenant \`${approval.tenant}\``,
    },
    {
      label: 'Kind',
      value: `${approval.effect}, type \`${approval.action_type}\`, tool \`${approval.tool}\`, by the ${approval.door} door, risk ${approval.risk}`,
    },
    approval.review === null
      ? undefined
      : {
          label: 'Review',
          value: `a model (${approval.review.model}) rates it ${approval.review.risk}: ${[approval.review.summary, ...approval.review.reasons].join(' · ')}`,
        },
    quorum > 1
      ? {
          label: 'Needs',
          value: `${quorum} different people; so far ${agreed.length === 0 ? 'none' : agreed.join(', ')}`,
        }
      : undefined,
    { label: '2 covers', value: covers.session ?? 'not offered for this question' },
    { label: '6 covers', value: covers.always ?? 'not offered for this question' },
    ...approval.scopes.map(({ scope, covers: words }) => ({
      label: 'Wider',
      value: `--scope ${scope}: ${words}`,
    })),
    {
      label: 'Expires',
      value: approval.expires_at === null ? 'waits without limit' : relativeTime(approval.expires_at, now),
    },
    { label: 'Id', value: approval.id },
    approval.self_declared
      ? { label: 'Beware', value: 'self-declared: the asker chose these words, and nothing has checked them' }
      : undefined,
  ];
  return facts
    .filter((fact) => fact !== undefined)
    .map(({ label, value }) => ({ label, value: visibleLine(value) }));
}

/** The whole question as lines; agent's lines are marked `│`, and `┆` where a long one goes on. */
export function questionLines(approval: ApprovalDetail, width: number, now: number): readonly string[] {
  const facts = questionFacts(approval, now).flatMap(({ label, value }) =>
    wrapLine(value, Math.max(20, width - 10)).map((part, index) =>
      index === 0 ? `${label.padEnd(10)}${part}` : `        ┆ ${part}`,
    ),
  );
  return [...facts, '', ...previewLines(approval.preview, width)];
}

function previewLines(preview: string, width: number): readonly string[] {
  return visibleLines(preview).flatMap((line) =>
    wrapLine(line, Math.max(20, width - 2)).map((part, index) => `${index === 0 ? '│' : '┆'} ${part}`),
  );
}

function asker({ agent, client_id: client, user, session, session_id: run }: ApprovalDetail): string {
  // A program that wants to connect is none yet: its name is its own word, and stands in the question.
  const what = client?.startsWith(CONNECT.clientPrefix) === true ? 'program' : 'API client';
  const who = agent === null ? `${what} ${client ?? '?'}` : `agent ${agent}`;
  const whose = user === null ? '' : ` for ${user}`;
  const where = session ?? run;
  return `${who}${whose}${where === null ? '' : ` (${where})`}`;
}
