import { formatDuration } from '../../shared/duration.ts';
import type { Approval } from '../approval/approval.ts';
import { manyLines, oneLine } from './visible.ts';

/** How many minutes a button or a hint offers where no number was chosen. */
export const OFFERED_MINUTES = 15;

/** One line about a question: our label, and a value that an agent may have written. */
export interface Fact {
  readonly label: string;
  readonly value: string;
}

/**
 * A question as people see it, before any markup. Every value is one line and shows what it holds; only
 * `preview` has lines of its own.
 */
export interface QuestionView {
  readonly id: string;
  readonly risk: string;
  /** one line: what */
  readonly title: string;
  readonly facts: readonly Fact[];
  /** complete */
  readonly preview: string;
  /** what each standing answer would cover */
  readonly covers: readonly Fact[];
  readonly expiry: string;
  /** the asker chose the words */
  readonly warning: string | undefined;
}

/** Everything a person needs to decide. Pure: the same approval gives the same text. */
export function viewQuestion(approval: Approval): QuestionView {
  return {
    id: approval.id,
    risk: approval.risk,
    title: oneLine(approval.title),
    facts: [
      // What a tired person reads first: what it does, why they are asked, what is lent, who wants it.
      ...(approval.does === undefined ? [] : [{ label: 'Does', value: oneLine(approval.does) }]),
      { label: 'Why', value: describeReason(approval) },
      ...describeOthers(approval),
      ...(approval.credential === undefined
        ? []
        : [{ label: 'Lends', value: `the credential \`${oneLine(approval.credential)}\`` }]),
      { label: 'Who', value: describeActor(approval) },
      { label: 'Kind', value: describeAction(approval) },
      ...describeReview(approval),
      ...describeQuorum(approval),
    ],
    preview: manyLines(approval.preview),
    covers: describeCovers(approval),
    expiry: describeExpiry(approval),
    warning: approval.selfDeclared
      ? 'Self-declared: the asker chose these words, and nothing has checked that they are true.'
      : undefined,
  };
}

function describeAction({ type, effect, tool, door }: Approval): string {
  return oneLine(`${effect}, type \`${type}\`, tool \`${tool}\`, by the ${door} door`);
}

function describeActor({ actor, client, sessionId }: Approval): string {
  const parts: string[] = [];
  const apiClient = client ?? actor.client;
  if (actor.agent !== undefined) parts.push(`agent \`${actor.agent}\``);
  if (apiClient !== undefined) parts.push(`API client \`${apiClient}\``);
  if (actor.chain.length > 1) parts.push(`called by ${actor.chain.slice(0, -1).join(' → ')}`);
  if (actor.user !== undefined) parts.push(`for user \`${actor.user}\``);
  const session = actor.session ?? sessionId;
  if (session !== undefined) parts.push(`session \`${session}\``);
  parts.push(actor.confinement, `tenant \`${actor.tenant}\``);
  return oneLine(parts.join(', '));
}

function describeReason({ reason, strength }: Approval): string {
  const where = reason.at === undefined ? undefined : `${reason.at.file}:${reason.at.line}`;
  const rule = reason.rule === undefined ? undefined : `rule \`${reason.rule}\``;
  const source = [`layer ${reason.layer}`, rule, where].filter((part) => part !== undefined).join(', ');
  const always = strength === 'each-time' ? '; a person is asked each time' : '';
  return oneLine(`${reason.reason} (${source})${always}`);
}

/** What other layers ask about the same action: one answer is for all of it. */
function describeOthers({ reason: { also = [] } }: Approval): readonly Fact[] {
  return also.map(({ layer, reason, rule }) => {
    const source = rule === undefined ? `layer ${layer}` : `layer ${layer}, rule \`${rule}\``;
    return { label: 'And', value: oneLine(`${reason} (${source})`) };
  });
}

/** A model's opinion, and said to be one: its words may have been shaped by whoever wrote the action. */
function describeReview({ review }: Approval): readonly Fact[] {
  if (review === undefined) return [];
  const { risk, summary, reasons, model } = review;
  return [
    { label: 'Review', value: oneLine(`a model rates it ${risk}: ${summary}`) },
    ...(reasons.length === 0
      ? []
      : [{ label: 'Reasons', value: oneLine(`${reasons.join(' · ')} (${model})`) }]),
  ];
}

function describeQuorum({ quorum, agreed }: Approval): readonly Fact[] {
  if (quorum <= 1) return [];
  const so = agreed.length === 0 ? 'none so far' : `so far ${agreed.map((who) => `\`${who}\``).join(', ')}`;
  return [{ label: 'Needs', value: oneLine(`${quorum} different people to agree; ${so}`) }];
}

/**
 * What standing answers cover, said once where they differ in nothing but how long they hold.
 *
 * SECURITY: only what the gate itself made of one text is said once; everything else stands on its own [AP-1].
 */
function describeCovers({ covers: { session, minutes, always } }: Approval): readonly Fact[] {
  if (session === undefined && minutes === undefined && always === undefined)
    return [{ label: 'Standing', value: 'no standing answer is offered: only this one may be allowed' }];
  const lasts = [
    { text: session, tail: IN_SESSION, said: '2 in this session' },
    { text: always, tail: UNTIL_REVOKED, said: '6 until someone revokes it' },
  ].filter(({ text }) => text !== undefined);
  if (minutes !== undefined && lasts.every(({ text, tail }) => text === `${minutes}${tail}`)) {
    const how = [...lasts.map(({ said }) => said), `or for ${OFFERED_MINUTES} min`].join(', ');
    return [{ label: 'Standing', value: oneLine(`${minutes} (${how})`) }];
  }
  const say = (text: string | undefined): string => oneLine(text ?? 'not offered for this question');
  return [
    { label: '2 covers', value: say(session) },
    { label: '6 covers', value: say(always) },
    ...(minutes === undefined ? [] : [{ label: `${OFFERED_MINUTES} min covers`, value: say(minutes) }]),
  ];
}

/** How the gate says how long a grant holds. */
const IN_SESSION = ', in this session';
const UNTIL_REVOKED = ', until someone revokes it';

function describeExpiry({ createdAt, expiresAt }: Approval): string {
  if (expiresAt === undefined) return 'waits without limit';
  return `${utcTime(expiresAt)}, ${formatDuration(expiresAt - createdAt)} after it was asked; then it does not happen`;
}

/** `2026-01-01 00:10:00 UTC`. */
export function utcTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`;
}
