// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the config has variables of its own
import { expect, test } from 'vitest';
import { firstConfigText } from './first-config.ts';
import { load } from './load-config.fixture.ts';

test('the first config loads without warnings and makes the user an owner', () => {
  const { config, warnings } = load(firstConfigText({ osUser: 'ana' }));
  expect(warnings).toEqual([]);
  expect(config.tenants.default).toMatchObject({
    default_user: 'ana',
    default_agent: 'dev',
    users: { ana: { roles: ['owner'], identities: { terminal: 'ana' } } },
  });
  expect(config.roles.owner?.allow).toEqual(['agent:*', 'tool:*', 'approve:*']);
  expect(Object.keys(config.roles)).toEqual(['owner', 'viewer']);
});

test('an editor finds the schema by its first line', () => {
  expect(firstConfigText({ osUser: 'ana' })).toMatch(
    /^# yaml-language-server: \$schema=sallyport\.schema\.json\n/,
  );
});

test('the first config has the default policy', () => {
  const { config } = load(firstConfigText({ osUser: 'ana' }));
  expect(config.agents.dev?.permissions).toEqual(['allow:*']);
  expect(config.network).toMatchObject({ default: 'ask', rules: [{ host: '@known', action: 'allow' }] });
  expect(config.tenants.default).toMatchObject({
    mode: 'cautious',
    branches: { owned: ['{user}/*', 'agent/*'], protected: ['main', 'master', 'release/*'] },
    exceptions: [
      { github: 'contents' },
      { github: 'collaboration' },
      { gitlab: 'contents' },
      { gitlab: 'collaboration' },
      { bitbucket: 'contents' },
    ],
  });
});

test('the first config fits a terminal and is read in a minute', () => {
  const lines = firstConfigText({ osUser: 'ana' }).split('\n');
  expect(lines.filter((line) => line.length > 100)).toEqual([]);
  expect(lines.length).toBeLessThan(60);
});

test.each([
  { osUser: 'CORP\\ana', user: 'CORP-ana', why: 'a domain' },
  { osUser: 'ana@corp.example', user: 'ana-corp.example', why: 'an address' },
  { osUser: '_www', user: 'www', why: 'a service' },
  { osUser: 'änä', user: 'n-', why: 'letters that names do not have' },
  { osUser: '"\n${HOME}: x', user: 'HOME---x', why: 'an attempt to write YAML' },
  { osUser: '', user: 'owner', why: 'nobody' },
  { osUser: '日本', user: 'owner', why: 'no letter that names have' },
  { osUser: 'true', user: 'true', why: 'a boolean' },
  { osUser: '1000', user: '1000', why: 'a number' },
  { osUser: 'constructor', user: 'owner', why: 'what every object has' },
  { osUser: 'x'.repeat(200), user: 'x'.repeat(64), why: 'too long' },
])('the first config loads for a user called $osUser: $why', ({ osUser, user }) => {
  const { config, warnings } = load(firstConfigText({ osUser }));
  expect(warnings).toEqual([]);
  expect(config.tenants.default?.default_user).toBe(user);
  const terminal = config.tenants.default?.users[user]?.identities.terminal;
  expect(terminal).toBe(osUser === '' ? undefined : osUser);
});
