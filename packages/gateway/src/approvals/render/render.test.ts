import { describe, expect, test } from 'vitest';
import type { Approval } from '../approval/approval.ts';
import { MENU_HELP } from '../approval/menu.ts';
import { formButtons } from '../channels/answer-button.ts';
import { approvalFixture } from './approval.fixture.ts';
import { describeEnd } from './ended-text.ts';
import { mailQuestion } from './mail.ts';
import { describeOutcome } from './outcome-text.ts';
import { plainQuestion } from './plain-text.ts';
import { idOfMessage, telegramEnd, telegramQuestion } from './telegram-html.ts';

const HOW = 'Answer with one of:';

describe('a question as people see it', () => {
  test('plain text says what, who, why, what each answer covers and until when', () => {
    expect(plainQuestion(approvalFixture(), { howToAnswer: HOW })).toMatchSnapshot();
  });

  test('a self-declared question that needs two people and waits without limit says all of that', () => {
    const approval = approvalFixture({
      door: 'api',
      selfDeclared: true,
      quorum: 2,
      agreed: ['bob'],
      expiresAt: undefined,
      covers: {},
      client: '3f2a9c0b11de',
      sessionId: 'run 7',
      strength: 'each-time',
      actor: { tenant: 'default', client: '3f2a9c0b11de', chain: [], confinement: 'unconfined' },
    });
    expect(plainQuestion(approval, { howToAnswer: HOW })).toMatchSnapshot();
  });

  test('a list of actions offers no replacement, on no channel', () => {
    const action = { actionId: 'act_1', binding: 'b', fingerprint: 'f', title: 't' };
    const approval = approvalFixture({ listed: [action, { ...action, actionId: 'act_2' }] });
    for (const text of [
      plainQuestion(approval, { howToAnswer: HOW }),
      telegramQuestion(approval).html,
      mailQuestion(approval, 'k7m2').text,
    ]) {
      expect(text).toContain('1. Allow these 2, once');
      expect(text).not.toMatch(/^(?:<[^>]*>)?5\. /m);
    }
    expect(formButtons(approval).map(({ press }) => press)).toEqual(['4']);
  });

  test('Telegram shows the same facts in its own markup', () => {
    expect(telegramQuestion(approvalFixture())).toMatchSnapshot();
  });

  test('a mail has the id and the token in its subject, and text and HTML with the same facts', () => {
    expect(mailQuestion(approvalFixture(), 'k7m2')).toMatchSnapshot();
  });

  test('every end has its sentence, and a timeout is never called a denial', () => {
    const ends: readonly Partial<Approval>[] = [
      { status: 'pending' },
      { status: 'approved', decision: { code: '1' }, decidedBy: 'ana', decidedVia: 'telegram', decidedAt: 0 },
      { status: 'approved', decision: { code: '1', minutes: 15 }, decidedBy: 'ana', decidedVia: 'terminal' },
      { status: 'approved', decision: { code: '2' }, decidedBy: 'ana' },
      { status: 'approved', decision: { code: '4', note: 'add logs' }, decidedBy: 'ana' },
      { status: 'approved', decision: { code: '5', override: 'npm test\nid' }, decidedBy: 'ana' },
      { status: 'approved', decision: { code: '6' }, answeredBy: 'rule_1' },
      { status: 'denied', decision: { code: '3' }, decidedBy: 'bob', decidedVia: 'email' },
      { status: 'expired' },
      ...['caller-left', 'restart', 'session-ended', 'withdrawn', 'other'].map(
        (cancelReason): Partial<Approval> => ({ status: 'cancelled', cancelReason }),
      ),
    ];
    const sentences = ends.map((end) => describeEnd(approvalFixture(end)));
    expect(sentences.join('\n')).toMatchSnapshot();
    expect(sentences[8]).not.toMatch(/denied/i);
  });

  test('an ended message keeps its id line, so that a late reply still finds its question', () => {
    const text = telegramEnd(approvalFixture({ status: 'expired' })).replace(/<[^>]+>/g, '');
    expect(idOfMessage(text)).toBe(approvalFixture().id);
  });

  test('an answer that is not on the menu is answered with the menu', () => {
    const text = describeOutcome({ kind: 'invalid', message: MENU_HELP });
    expect(text).toMatchSnapshot();
  });
});
