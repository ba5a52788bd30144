import { expect, test } from 'vitest';
import type { CredentialFacts } from '../credentials/index.ts';
import { reachOfAnybody, reachOfSession } from './session-reach.ts';

const facts = (name: string, hosts: readonly string[]): CredentialFacts => ({
  name,
  kind: 'bearer',
  hosts,
  mayGoTo: (host) => hosts.includes(host),
  places: { headers: [], query: [], body: [], namesOnly: false },
});
const known = new Map([
  ['mail', facts('mail', ['smtp.example.com', '*.mail.example.com'])],
  ['github', facts('github', ['api.github.com'])],
]);
const credentials = {
  facts: (tenant: string, name: string) => (tenant === 'default' ? known.get(name) : undefined),
};
const session = (names: readonly string[]) => ({
  get: async (tenant: string, id: string) => ({
    ...{ id, tenant, user: 'ana', agent: 'dev', chain: ['dev'], confinement: 'jailed' as const },
    ...{ credentials: names, createdAt: 0, expiresAt: 1, endedAt: undefined, endReason: undefined },
  }),
});

test.each([
  {
    names: ['mail', 'github'],
    reach: ['smtp.example.com', '*.mail.example.com', 'api.github.com'],
    why: 'all',
  },
  { names: ['github'], reach: ['api.github.com'], why: 'only its own' },
  { names: ['gone'], reach: [], why: 'what the config no longer has goes nowhere' },
  { names: [], reach: [], why: 'none' },
])('[AP-3] a session reaches the hosts of its credentials: $why', async ({ names, reach }) => {
  expect(await reachOfSession('default', 'sess_1', session(names), credentials)).toEqual(reach);
});

test('[ID-4] credentials of another tenant are not its own; who has no session reaches nothing', async () => {
  expect(await reachOfSession('other', 'sess_1', session(['mail']), credentials)).toEqual([]);
  expect(await reachOfSession('default', undefined, session(['mail']), credentials)).toEqual([]);
});

test('[AP-3] an asker whose session is not known is an error, not an empty reach', async () => {
  const none = {
    get: async () => {
      throw new Error('there is no such session');
    },
  };
  await expect(reachOfSession('default', 'sess_1', none, credentials)).rejects.toThrow('no such session');
});

test('[AP-3] who is not known reaches the hosts of every credential of every tenant', () => {
  const both = {
    facts: (tenant: string, name: string) => (tenant === 'gone' ? undefined : known.get(name)),
  };
  const tenants = {
    default: { credentials: { github: {}, unknown: {} } },
    other: { credentials: { mail: {} } },
    gone: { credentials: { mail: {} } },
  };
  expect(reachOfAnybody(tenants, both)).toEqual(['api.github.com', 'smtp.example.com', '*.mail.example.com']);
});
