import { type Action, RISKS } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { policyOf, snapshotOf } from '../../src/gate/gate.fixture.ts';
import { type AskedAction, type Grant, grantCovers } from '../../src/gate/grants/grant.ts';
import { offerGrant, widerOffers } from '../../src/gate/grants/offer-grant.ts';
import { askedOf, judge } from '../../src/gate/index.ts';
import { anyDeed, type Done } from './deeds.ts';

const NOW = 1_000;
/** What people usually have, and one where everything asks. */
const SNAPSHOTS = [['allow:*'], ['ask:*']].map((permissions) =>
  snapshotOf(policyOf({ agents: { dev: { permissions } }, network: { rules: [] } })),
);

const grantOf = (action: Action, covers: Grant['covers'], over: Partial<Grant> = {}): Grant => ({
  id: 'grant_1',
  tenant: 'default',
  agent: 'dev',
  covers,
  answer: 'yes',
  scope: 'session',
  // One for good belongs to no session.
  ...(over.scope === 'always' ? {} : { session: action.actor.session ?? '' }),
  createdAt: 0,
  createdBy: 'ana',
  uses: 0,
  ...over,
});

/** The question that an action leads to; undefined where nobody is asked, or no answer may stand. */
function asked(
  action: Action,
  which: number,
): (AskedAction & { readonly offer: Grant['covers'] }) | undefined {
  const snapshot = SNAPSHOTS[which];
  if (snapshot === undefined) return undefined;
  const judgement = judge(action, snapshot);
  if (judgement.outcome !== 'ask' || judgement.strength === 'each-time') return undefined;
  return { ...askedOf(action, judgement), offer: offerGrant(action, judgement) };
}

let deeds: fc.Arbitrary<Done>;
beforeAll(async () => {
  deeds = await anyDeed();
});
const policies = fc.constantFrom(0, 1);
/** The same, for what is put together before the builders are loaded. */
const lateDeeds = fc.constant(undefined).chain(() => deeds);

describe('a standing answer', () => {
  test('[GA-12] what was answered with 2 or 6 does not ask again: not in the session, not in a later one', () => {
    fc.assert(
      fc.property(deeds, policies, ({ action, again }, which) => {
        const question = asked(action, which);
        fc.pre(question !== undefined);
        const next = asked(again(), which);
        const later = asked(again('sess_2'), which);
        expect(next !== undefined && grantCovers(grantOf(action, question.offer), next, NOW)).toBe(true);
        const always = grantOf(action, question.offer, { scope: 'always' });
        expect(later !== undefined && grantCovers(always, later, NOW)).toBe(true);
        expect(later !== undefined && grantCovers(grantOf(action, question.offer), later, NOW)).toBe(false);
      }),
      { numRuns: rounds(6_000) },
    );
  });

  test('[GA-11] covers no other operation, object or credential, and no higher risk', () => {
    fc.assert(
      fc.property(deeds, deeds, policies, (one, other, which) => {
        const question = asked(one.action, which);
        const next = asked(other.action, which);
        fc.pre(question !== undefined && next !== undefined);
        if (!grantCovers(grantOf(one.action, question.offer, { scope: 'always' }), next, NOW)) return;
        expect(other.credential).toBe(one.credential);
        expect(RISKS.indexOf(other.action.risk)).toBeLessThanOrEqual(RISKS.indexOf(one.action.risk));
        // A host that was new is open for reads, and for nothing else.
        if (next.onlyNewHost && other.action.effect === 'read') {
          expect(other.deed.object).toBe(one.deed.object);
          return;
        }
        expect([other.deed.operation, other.deed.object]).toEqual([one.deed.operation, one.deed.object]);
      }),
      { numRuns: rounds(20_000) },
    );
  });

  test('[GA-11] the same at a higher risk than was shown is asked about again', () => {
    fc.assert(
      fc.property(deeds, fc.constantFrom(...RISKS), policies, ({ action, again }, risk, which) => {
        const question = asked(action, which);
        const next = asked(again(), which);
        fc.pre(question?.offer.kind === 'operation' && next !== undefined && !next.onlyNewHost);
        const isHigher = RISKS.indexOf(risk) > RISKS.indexOf(action.risk);
        const raised = { ...next, action: { ...next.action, risk } };
        expect(grantCovers(grantOf(action, question.offer), raised, NOW)).toBe(!isHigher);
      }),
      { numRuns: rounds(3_000) },
    );
  });

  test('[GA-11] what a table knows to be of the highest risk is covered to the letter, and never widened', () => {
    fc.assert(
      fc.property(deeds.filter(isListedCritical), deeds, policies, (one, other, which) => {
        const question = asked(one.action, which);
        const next = asked(other.action, which);
        fc.pre(question !== undefined && next !== undefined);
        expect(widerOffers(one.action)).toEqual({});
        const grant = grantOf(one.action, question.offer, { scope: 'always' });
        if (grantCovers(grant, next, NOW) && other.action.effect === 'write')
          expect(other.action.fingerprint).toBe(one.action.fingerprint);
      }),
      { numRuns: rounds(3_000) },
    );
  });

  test('[GA-11] a wider one, given on purpose, stays with its reads or its owner', () => {
    fc.assert(
      fc.property(deeds, deeds, policies, (one, other, which) => {
        const next = asked(other.action, which);
        fc.pre(next !== undefined);
        for (const [scope, cover] of Object.entries(widerOffers(one.action))) {
          if (!grantCovers(grantOf(one.action, cover, { scope: 'always' }), next, NOW)) continue;
          expect(other.credential).toBe(one.credential);
          if (scope === 'operation-of-owner') expect(other.deed.operation).toBe(one.deed.operation);
          else expect([other.action.effect, other.deed.object]).toEqual(['read', one.deed.object]);
        }
      }),
      { numRuns: rounds(6_000) },
    );
  });
});

describe('whatever was answered before, and in whichever order', () => {
  const answers = fc.array(fc.tuple(lateDeeds, fc.constantFrom('session', 'always', 'widest')), {
    maxLength: 12,
  });

  test('[GA-11] no sequence of yeses lets a planted harm through', () => {
    fc.assert(
      fc.property(answers, lateDeeds.filter(isListedCritical), policies, (given, harm, which) => {
        const next = asked(harm.action, which);
        fc.pre(next !== undefined);
        const ordinary = given.filter(([{ action }]) => action.fingerprint !== harm.action.fingerprint);
        const grants = ordinary.flatMap(([{ action }, answer]) => {
          const question = asked(action, which);
          if (question === undefined) return [];
          const covers = answer === 'widest' ? Object.values(widerOffers(action)) : [question.offer];
          const scope = answer === 'session' ? 'session' : 'always';
          return covers.map((cover) => grantOf(action, cover, { scope }));
        });
        for (const order of [grants, grants.toReversed()])
          expect(order.some((grant) => grantCovers(grant, next, NOW))).toBe(false);
      }),
      { numRuns: rounds(6_000) },
    );
  });
});

/** By the test's own list. */
function isListedCritical({ deed }: Done): boolean {
  return /^(?:delete the repository|add a deploy key|add a collaborator|add a webhook|unprotect main|set a secret)$/.test(
    deed.operation,
  );
}
