import { type Action, type Actor, RISKS } from '@sallyport/protocol';
import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { beforeAll, expect, test } from 'vitest';
import {
  type ActionBuilder,
  loadActionBuilders,
  type Wanted,
  wantedAction,
} from '../../src/actions/index.ts';
import { foreseen } from '../../src/gate/admit/foresee.ts';
import { grantCovers } from '../../src/gate/grants/grant.ts';
import { offerGrant } from '../../src/gate/grants/offer-grant.ts';
import { operationsOf } from '../../src/targets/index.ts';

const actor: Actor = {
  tenant: 'default',
  agent: 'dev',
  session: 'sess_1',
  chain: ['dev'],
  confinement: 'unconfined',
};
let builder: ActionBuilder;
beforeAll(async () => {
  builder = (await loadActionBuilders())();
});

const hosts = fc.constantFrom('api.example.com', 'api.github.com', 'slack.com', 'gitlab.com');
const paths = fc.constantFrom(
  ...['/', '/v1/items/1', '/v1/items/2', '/v1/items/1/drop', '/v1/others/1'],
  ...['/repos/acme/app/issues/1/comments', '/repos/acme/app/issues', '/repos/acme/other/issues/7/comments'],
  ...['/repos/acme/app', '/api/chat.postMessage', '/api/v4/projects/acme%2Fapp/issues'],
);
const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE');
const bodies = fc.constantFrom('', '{}', '{"channel":"C1"}', '{"channel":"C2"}');
const credentials = fc.constantFrom(undefined, 'main', 'other');

/** A request as the proxy would judge it. */
const requests = fc
  .record({ host: hosts, target: paths, method: methods, body: bodies, credential: credentials })
  .map(({ host, target, method, body, credential }) => {
    const lent = credential === undefined ? {} : { credential };
    const sent = body === '' ? {} : { bodyPrefix: new TextEncoder().encode(body) };
    const headers = [['Content-Type', 'application/json'] as const];
    const head = { scheme: 'https', host, port: 443, method, target, headers, bodyComplete: true } as const;
    return (): Action =>
      builder.http({ ...head, ...sent }, {}, { door: 'proxy', actor, cwd: '/', home: '/', ...lent }).action;
  });

/** Names as agents learn them: of what was asked about, sometimes with a slip or with what belongs to another. */
const names = fc.tuple(requests, requests, fc.nat(5)).map(([one, other, slip]) => (): Wanted | undefined => {
  const [first] = operationsOf(one());
  const [second] = operationsOf(other());
  if (first === undefined || second === undefined) return undefined;
  const object = slip === 0 ? second.object : slip === 1 ? first.object.slice(0, -1) : first.object;
  return { operation: slip === 2 ? `${first.operation}/1` : first.operation, object };
});

const ASKED = { outcome: 'ask', strength: 'human', reason: 'x', opinions: [] } as const;

test('[GA-17] what was asked for beforehand covers that operation on that object, as `2` would, and nothing else', () => {
  let covered = 0;
  fc.assert(
    fc.property(
      names,
      credentials,
      fc.array(requests, { minLength: 1, maxLength: 8 }),
      (name, credential, others) => {
        const wanted = name();
        if (wanted === undefined) return;
        const parts = { builder, actor, credentialFor: () => credential, onlyReads: () => false };
        const sample = wantedAction(wanted, parts);
        if (sample === undefined) return;
        const line = foreseen(sample, ASKED, true);
        if (line.kind !== 'askable') return;
        // What the number would have covered for the same action.
        expect(line.covers).toEqual(offerGrant(sample, ASKED));
        const base = { id: 'grant_1', tenant: 'default', agent: 'dev', answer: 'yes', uses: 0 } as const;
        const given = { scope: 'session', session: 'sess_1', createdAt: 0, createdBy: 'ana' } as const;
        for (const make of others) {
          const action = make();
          if (!grantCovers({ ...base, ...given, covers: line.covers }, { action, onlyNewHost: false }, 0))
            continue;
          covered += 1;
          const [only, ...more] = operationsOf(action);
          expect(more).toEqual([]);
          expect(only?.operation).toBe(wanted.operation);
          expect([only?.object, only?.object.replace(':443', '')]).toContain(wanted.object);
          expect(action.target.credential).toBe(credential);
          expect(RISKS.indexOf(action.risk)).toBeLessThanOrEqual(RISKS.indexOf(line.risk));
        }
      },
    ),
    { numRuns: rounds(4_000), seed: 7 },
  );
  // Otherwise it shows nothing.
  expect(covered).toBeGreaterThan(0);
});
