import type { AuditEvent, EventType, JsonObject } from '@sallyport/protocol';
import { describe, expect, it } from 'vitest';
import { Attention } from './attention.ts';

let seq = 0;
const event = (
  type: EventType,
  data: JsonObject,
  at = '2026-01-01T00:00:00.000Z',
  approval?: string,
): AuditEvent => {
  seq += 1;
  const actor = {
    kind: 'agent',
    tenant: 'default',
    agent: 'dev',
    chain: ['dev'],
    confinement: 'jailed',
  } as const;
  return {
    ...{ id: `evt_${seq}`, seq, at, tenant: 'default', type, actor, data },
    ...(approval === undefined ? {} : { approval_id: approval }),
  };
};
const action = (by: string) => event('ActionEvent::Judged', { verdict: 'allow', by, judged: 'allow' });
const asked = (approval: string, title: string, more: JsonObject = {}) =>
  event(
    'ApprovalEvent::Requested',
    { title, reason: { layer: 'boundary', reason: 'no network rule names `a.example`' }, ...more },
    '2026-01-01T00:00:00.000Z',
    approval,
  );
const decided = (approval: string, status: string, seconds: number) =>
  event(
    'ApprovalEvent::Decided',
    { status, code: '1' },
    `2026-01-01T00:00:${String(seconds).padStart(2, '0')}.000Z`,
    approval,
  );

const statsOf = (...events: readonly AuditEvent[]) => {
  const attention = new Attention();
  for (const each of events) attention.add(each);
  return attention.summary;
};

describe('what a trail tells of attention', () => {
  it('counts actions, questions, answers, and how long they took', () => {
    const stats = statsOf(
      ...Array.from({ length: 96 }, () => action('policy')),
      ...[action('grant'), action('grant'), action('person'), action('person')],
      asked('appr_1', 'http: POST a.example/issues/1'),
      decided('appr_1', 'approved', 4),
      asked('appr_2', 'http: POST a.example/issues/2'),
      decided('appr_2', 'approved', 10),
      asked('appr_3', 'Bash: npm publish'),
      decided('appr_3', 'denied', 20),
      asked('appr_4', 'Bash: npm publish'),
      event('ApprovalEvent::Expired', {}, undefined, 'appr_4'),
    );
    expect(stats).toMatchObject({
      ...{ actions: 100, questions: 4, per_100: 4, standing: 2, median_answer_seconds: 10 },
      answers: { yes: 2, no: 1, expired: 1, left: 0 },
      by_reason: [{ layer: 'boundary', reason: 'no network rule names `…`', questions: 4 }],
      always_yes: [{ what: 'http: POST a.example/issues/{}', agent: 'dev', questions: 2 }],
    });
  });

  it('does not call an open question a yes, and counts a message that a new caller took over once', () => {
    const stats = statsOf(
      asked('appr_1', 'Bash: gh pr create'),
      decided('appr_1', 'approved', 1),
      asked('appr_2', 'Bash: gh pr create'),
      asked('appr_2', 'Bash: gh pr create', { taken_over: true }),
    );
    expect(stats.questions).toBe(2);
    expect(stats.always_yes).toEqual([]);
  });

  it('stays bounded whatever a trail holds, and says so', () => {
    const attention = new Attention();
    for (let at = 0; at < 10_100; at += 1)
      attention.add(asked(`appr_${at}`, `Bash: run word${'a'.repeat(at % 7)}${at}x`));
    const { questions, truncated, by_reason } = attention.summary;
    expect({ questions, truncated, reasons: by_reason.length }).toEqual({
      questions: 10_100,
      truncated: true,
      reasons: 1,
    });
  });

  it('has an answer for an empty trail', () => {
    expect(statsOf()).toMatchObject({ actions: 0, questions: 0, per_100: 0, median_answer_seconds: null });
  });
});
