import { describe, expect, test } from 'vitest';
import { load, reported } from '../load-config.fixture.ts';

const TENANT = 'roles: { lead: {} }\ntenants: { t: {} }\n';

describe('approvals in a config', () => {
  test.each([
    {
      why: 'a type that is not there',
      text: `${TENANT}approvals: { timeouts: { vcs:psh: wait } }\n`,
      says: 'there is no action type `vcs:psh`',
    },
    {
      why: 'a quorum for a type that is not there: it would never be asked for',
      text: `${TENANT}approvals: { quorum: { types: [deploy:prod], of: 2 } }\n`,
      says: 'there is no action type `deploy:prod`',
    },
    {
      why: 'a role that is not there: nobody would be asked',
      text: `${TENANT}approvals: { timeouts: { vcs: { policy: escalate, chain: [{ role: laed, minutes: 5 }] } } }\n`,
      says: 'tenant `t` has no role `laed`',
    },
    {
      why: 'a type in the section of a tenant',
      text: 'tenants: { t: { approvals: { timeouts: { x: wait } } } }\n',
      says: 'there is no action type `x`',
    },
  ])('$why', ({ text, says }) => {
    expect(reported(text)).toEqual([expect.stringContaining(says)]);
  });

  test.each([
    'approvals: { quorum: { types: [vcs], of: 1 } }\n',
    'approvals: { quorum: { types: [], of: 2 } }\n',
    'approvals: { timeout: soon }\n',
    'approvals: { timeouts: { vcs: allow } }\n',
    'approvals: { timeouts: { vcs: { policy: escalate, chain: [] } } }\n',
    'approvals: { timeouts: { vcs: { policy: tiered, tiers: { huge: 1h } } } }\n',
  ])('refuses %s', (text) => {
    expect(reported(text).length).toBeGreaterThan(0);
  });

  test('types, categories and registered custom types are known; the tenant’s section replaces the shared one', () => {
    const { config } = load(`
roles: { lead: {} }
custom_types: ["custom:mine"]
approvals:
  timeout: 30m
  timeouts:
    vcs: wait
    exec_cmd: tiered
    "custom:mine": { policy: deny, after: 5m }
    "deploy:production": { policy: escalate, chain: [{ role: lead, minutes: 10 }] }
  quorum: { types: [deploy], of: 2 }
tenants: { t: { approvals: { timeout: 1m } } }
`);
    expect(config.approvals.timeout).toBe('30m');
    expect(config.tenants.t?.approvals).toEqual({ timeout: '1m', timeouts: {} });
  });
});
