import { type Action, type NewEvent, SallyportError, type Verdict } from '@sallyport/protocol';
import { describe, expect, test } from 'vitest';
import type { HeldNote } from '../audit/index.ts';
import { bash } from '../gate/gate.fixture.ts';
import type { Decided, DecideOptions } from '../gate/index.ts';
import { type Call, type CarryOutParts, carryOut } from './carry-out.ts';

const ALLOW: Verdict = { kind: 'allow', by: 'policy', opinions: [] };
const DENY: Verdict = { kind: 'deny', violation: 'RuleDenied', reason: 'no', opinions: [] };
const PART = bash('make', { id: 'act_part' });
const WHOLE = bash('make everything', { id: 'act_whole' });
const event = (type: NewEvent['type']): NewEvent => ({
  ...{ tenant: 'default', type, actor: { kind: 'agent' }, action_id: PART.id, data: {} },
});
const INJECTED = event('ProxyEvent::CredentialInjected');
const ENDED = event('ProxyEvent::RequestAllowed');

/** A pipeline whose gate says what it is told, and everything that was done in it, in order. */
function opened(decide: (action: Action, options?: DecideOptions) => Decided | Promise<Decided>) {
  const log: string[] = [];
  const held: HeldNote = {
    add: ({ type }) => void log.push(`beside: ${type}`),
    settle: ({ type }) => void log.push(`settled: ${type}`),
  };
  const parts: CarryOutParts = {
    gate: { decide },
    trail: { note: ({ type }) => void log.push(`noted: ${type}`) },
    onProblem: (_error, what) => void log.push(`problem: ${what}`),
  };
  const call: Call<string> = {
    signal: new AbortController().signal,
    hasEnd: true,
    build: () => PART,
    refused: ({ violation }, action, cause) => {
      const why = cause instanceof Error ? ` (${cause.message})` : '';
      return `refused ${action.id}: ${violation}${why}`;
    },
    execute: (permit) => {
      permit.add(INJECTED);
      permit.end(ENDED);
      return `ran ${permit.action.id}`;
    },
  };
  return { log, held, parts, call };
}

describe('one action through the pipeline', () => {
  test('is answered at once where the gate answers at once, and told to the event of its verdict', () => {
    const { log, held, parts, call } = opened(() => ({ verdict: ALLOW, held }));
    expect(carryOut(parts, call)).toBe('ran act_part');
    expect(log).toEqual(['beside: ProxyEvent::CredentialInjected', 'settled: ProxyEvent::RequestAllowed']);
  });

  test('[GA-1] is not executed when it is refused, now or later', async () => {
    for (const decide of [
      () => ({ verdict: DENY, held: undefined }),
      async () => ({ verdict: DENY, held: undefined }),
    ]) {
      const { log, parts, call } = opened(decide);
      expect(await carryOut(parts, call)).toBe('refused act_part: RuleDenied');
      expect(log).toEqual([]);
    }
  });

  test('[GA-1] is the one that a person put in its place', async () => {
    const { parts, call } = opened(async () => ({ verdict: { ...ALLOW, action: WHOLE }, held: undefined }));
    expect(await carryOut(parts, call)).toBe('ran act_whole');
  });

  test('is recorded by itself where the verdict is on disk already', () => {
    const { log, parts, call } = opened(() => ({ verdict: ALLOW, held: undefined }));
    expect(carryOut(parts, call)).toBe('ran act_part');
    expect(log).toEqual(['noted: ProxyEvent::CredentialInjected', 'noted: ProxyEvent::RequestAllowed']);
  });

  test('has one event of its own for what happens on the way and its end, where the trail can wait for that', () => {
    const { log, held, parts, call } = opened(() => ({ verdict: ALLOW, held: undefined }));
    const hold = ({ type }: NewEvent, options?: { readonly mayYield: boolean }): HeldNote => {
      log.push(`held: ${type} ${options?.mayYield}`);
      return held;
    };
    expect(carryOut({ ...parts, trail: { ...parts.trail, hold } }, call)).toBe('ran act_part');
    expect(log).toEqual(['held: ProxyEvent::CredentialInjected true', 'settled: ProxyEvent::RequestAllowed']);
  });

  test('is answered also when its end cannot be recorded, and somebody hears of that', () => {
    const { log, held, parts, call } = opened(() => ({ verdict: ALLOW, held: { ...held, settle: full } }));
    const full = (): void => {
      throw new SallyportError('AuditUnavailable');
    };
    expect(carryOut(parts, call)).toBe('ran act_part');
    expect(log.at(-1)).toBe('problem: how an action ended could not be recorded');
  });
});

describe('an action of which only the beginning is here', () => {
  const unfinished = (end: Verdict): Decided => ({
    verdict: undefined,
    finish: async (whole) => ({ verdict: whole === WHOLE ? end : DENY, held: undefined }),
    giveUp: async () => ({ verdict: DENY, held: undefined }),
  });

  test('is not got whole where the policy alone answers', () => {
    const { parts, call } = opened((_action, options) => {
      expect(options?.isPart).toBe(true);
      return { verdict: ALLOW, held: undefined };
    });
    const whole = (): never => expect.unreachable('nobody asked for it');
    expect(carryOut(parts, { ...call, whole })).toBe('ran act_part');
  });

  test.each([
    { end: ALLOW, answer: 'ran act_whole' },
    { end: DENY, answer: 'refused act_whole: RuleDenied' },
  ])('is judged, and runs or not, as a whole: $answer', async ({ end, answer }) => {
    const { parts, call } = opened(async () => unfinished(end));
    expect(await carryOut(parts, { ...call, whole: async () => WHOLE })).toBe(answer);
  });

  test('[GA-5] is refused, with the reason, when the rest cannot be had', async () => {
    const { log, parts, call } = opened(async () => unfinished(ALLOW));
    const whole = () => Promise.reject(new Error('too large'));
    expect(await carryOut(parts, { ...call, whole })).toBe('refused act_part: RuleDenied (too large)');
    expect(log).toEqual([]);
  });

  test('[GA-1] does not run when a gate says yes to what could not be had', async () => {
    const yes = { verdict: ALLOW, held: undefined };
    const { log, parts, call } = opened(async () => ({ ...unfinished(ALLOW), giveUp: async () => yes }));
    const whole = () => Promise.reject(new Error('too large'));
    await expect(carryOut(parts, { ...call, whole })).rejects.toThrow('too large');
    expect(log).toEqual([]);
  });
});
