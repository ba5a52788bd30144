import { rounds } from '@sallyport/testkit/rounds';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { AWS_CASES } from '../cases/aws.ts';
import { CASE_OPTIONS, headOf } from '../cases/case.ts';
import { CLOUD_CASES } from '../cases/clouds.ts';
import { GENERAL_CASES } from '../cases/general.ts';
import { GIT_CASES } from '../cases/git.ts';
import { GITHUB_CASES } from '../cases/github.ts';
import { GRAPHQL_CASES } from '../cases/graphql.ts';
import { SERVICE_CASES } from '../cases/services.ts';
import type { HttpRequestHead } from '../http-request.ts';
import { createHttpClassifier } from '../index.ts';

const classify = createHttpClassifier(CASE_OPTIONS);

const HEADS: readonly HttpRequestHead[] = [
  ...GENERAL_CASES,
  ...GITHUB_CASES,
  ...GIT_CASES,
  ...GRAPHQL_CASES,
  ...AWS_CASES,
  ...CLOUD_CASES,
  ...SERVICE_CASES,
].map(headOf);

const head = fc.constantFrom(...HEADS);
const KNOWN = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE'];
const method = fc.oneof(
  fc.constantFrom('get', 'Get', 'QUERY', 'LIST', 'PROPFIND', 'CONNECT', 'TRACE', ' GET', 'GET ', ''),
  fc.string({ maxLength: 12 }),
);
const RUNS = { numRuns: rounds(1_000) };

describe('every classification', () => {
  test('[GA-2] comes to an answer, whatever comes in', () => {
    const anything = fc.record({
      scheme: fc.constantFrom('http' as const, 'https' as const, 'ws' as const, 'tunnel' as const),
      host: fc.oneof(fc.constantFrom(...HEADS.map((known) => known.host)), fc.string()),
      port: fc.nat(70_000),
      method: fc.oneof(fc.constantFrom(...KNOWN), method),
      target: fc.oneof(fc.constantFrom(...HEADS.map((known) => known.target)), fc.string(), fc.webPath()),
      headers: fc.array(fc.tuple(fc.string(), fc.string()), { maxLength: 4 }),
      bodyPrefix: fc.uint8Array({ maxLength: 200 }),
      bodyComplete: fc.boolean(),
    });
    fc.assert(
      fc.property(anything, (request) => {
        expect(classify(request)).toMatchObject({
          effect: expect.stringMatching(/^(?:read|write)$/),
          reach: 'remote',
        });
      }),
      RUNS,
    );
  });

  test('[GA-2] never takes an unknown method for a read', () => {
    fc.assert(
      fc.property(head, method, (request, name) => {
        fc.pre(!KNOWN.includes(name));
        expect(classify({ ...request, method: name }).effect).toBe('write');
      }),
      RUNS,
    );
  });

  test('[GA-2] never turns a write into a read because the body is cut', () => {
    fc.assert(
      fc.property(head, fc.double({ min: 0, max: 1, noNaN: true }), (request, share) => {
        const whole = classify(request);
        fc.pre(whole.effect === 'write');
        const body = request.bodyPrefix ?? new Uint8Array();
        const cut = {
          ...request,
          bodyPrefix: body.subarray(0, Math.floor(body.length * share)),
          bodyComplete: false,
        };
        expect(classify(cut).effect).toBe('write');
      }),
      RUNS,
    );
  });

  test('is the same for any order and case of the headers', () => {
    const recase = (text: string, mask: number): string =>
      [...text].map((c, i) => ((mask >> (i % 16)) & 1 ? c.toUpperCase() : c.toLowerCase())).join('');
    fc.assert(
      fc.property(head, fc.nat(0xffff), fc.boolean(), (request, mask, reversed) => {
        const headers = request.headers.map(([name, value]) => [recase(name, mask), value] as const);
        const changed = { ...request, headers: reversed ? headers.toReversed() : headers };
        expect(classify(changed)).toEqual(classify(request));
      }),
      RUNS,
    );
  });

  test('[NE-9] is a write as soon as there is an upgrade, an override or a tunnel', () => {
    const twist = fc.constantFrom<(request: HttpRequestHead) => HttpRequestHead>(
      (request) => ({ ...request, upgrade: 'websocket' }),
      (request) => ({ ...request, scheme: 'tunnel' }),
      (request) => ({ ...request, scheme: 'wss' }),
      (request) => ({ ...request, headers: [...request.headers, ['X-HTTP-Method-Override', 'TRACE']] }),
      (request) => ({ ...request, headers: [...request.headers, ['Upgrade', 'h2c']] }),
      (request) => ({
        ...request,
        target: `${request.target}${request.target.includes('?') ? '&' : '?'}_method=put`,
      }),
    );
    fc.assert(
      fc.property(head, twist, (request, change) => {
        const { effect, type } = classify(change(request));
        expect(effect).toBe('write');
        expect(['custom:inference', 'vcs:read', 'db:query']).not.toContain(type);
      }),
      RUNS,
    );
  });

  test('[NE-9] of a GET, HEAD or OPTIONS with a body is a write', () => {
    const safe = fc.constantFrom('GET', 'HEAD', 'OPTIONS');
    fc.assert(
      fc.property(head, safe, fc.uint8Array({ minLength: 1, maxLength: 20 }), (request, name, bodyPrefix) => {
        expect(classify({ ...request, method: name, bodyPrefix }).effect).toBe('write');
      }),
      RUNS,
    );
  });
});
