import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ApprovalDetail } from '@sallyport/protocol';
import { startTestGateway, type TestGateway } from '@sallyport/testkit';
import { Posts } from '../posts.ts';
import { all, at, type Draft, type Group, type OpenWorld } from './cases.ts';

type See = keyof typeof LOOKS;

interface PeopleWorld extends OpenWorld {
  readonly posts: Posts;
}

const SERVICE = { url: '' };

const LOOKS = {
  /** who is asked, and where the question goes */
  async asked({ gateway, posts }: PeopleWorld) {
    const marker = `q${Math.random()}`;
    const id = await ask(gateway, marker);
    const { deciders } = (await gateway.operator(`/v1/approvals/${id}`)).json<ApprovalDetail>();
    const hasWay = deciders.length > 0;
    const post = hasWay ? await posts.holding(marker) : undefined;
    await deny(gateway, id);
    return [deciders, post === undefined ? null : (JSON.parse(post.body) as { recipient: string }).recipient];
  },
  /** whose session it is */
  async session({ gateway }: PeopleWorld) {
    const answer = await open(gateway);
    const id = answer.json<{ session_id?: string }>().session_id;
    if (id === undefined) return answer.status;
    const session = (await gateway.operator(`/v1/sessions/${id}`)).json<{ user: string; agent: string }>();
    await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    return [session.user, session.agent, Math.round(answer.json<{ ttl_seconds: number }>().ttl_seconds)];
  },
  /** how many there may be */
  async sessions({ gateway }: PeopleWorld) {
    const ids: string[] = [];
    for (let n = 0; n < 3; n += 1) {
      const id = (await open(gateway)).json<{ session_id?: string }>().session_id;
      if (id !== undefined) ids.push(id);
    }
    for (const id of ids) await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    return ids.length;
  },
  async host({ gateway }: PeopleWorld) {
    return (await gateway.agent('/healthz', { headers: { host: 'gate.example' } })).status;
  },
  /** whether a permanent answer is taken */
  async always({ gateway }: PeopleWorld) {
    const id = await ask(gateway, `q${Math.random()}`);
    const { status } = await gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '6' } });
    await deny(gateway, id);
    const grants = (await gateway.operator('/v1/grants')).json<{ items: { id: string }[] }>().items;
    for (const grant of grants) await gateway.operator(`/v1/grants/${grant.id}`, { method: 'DELETE' });
    return status;
  },
  async custom({ gateway }: PeopleWorld) {
    const json = { session_id: 's', action_type: 'custom:mine', title: 'T', preview: 'p' };
    const answer = await gateway.agent('/v1/approvals', { token: gateway.apiKey, json });
    const { approval_id: id } = answer.json<{ approval_id?: string }>();
    if (id !== undefined) await deny(gateway, id);
    return answer.status;
  },
  /** what is logged by a request that fails */
  async log({ gateway }: PeopleWorld) {
    const before = gateway.log.length;
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    await gateway.operator('/v1/keys', { json: { name: `k${Math.floor(Math.random() * 1e9)}` } });
    await gateway.writeConfig('broken: [');
    await gateway.operator('/v1/config/reload', { method: 'POST' });
    return gateway.log.slice(before).some((line) => line.includes('was refused'));
  },
} as const;

const open = (gateway: TestGateway) =>
  gateway.agent('/session/new', {
    json: { tenant_id: 'default', enrollment_secret: gateway.enrollmentSecret },
  });

async function ask(gateway: TestGateway, marker: string): Promise<string> {
  const json = { session_id: 's', action_type: 'exec_cmd', title: 'T', preview: marker };
  return (await gateway.agent('/v1/approvals', { token: gateway.apiKey, json })).json<{
    approval_id: string;
  }>().approval_id;
}

const deny = (gateway: TestGateway, id: string) =>
  gateway.operator(`/v1/approvals/${id}/decision`, { json: { code: '3' } });

const users = 'tenants.default.users';

export const peopleGroup: Group<See, PeopleWorld> = {
  name: 'people and sessions',
  cases: {
    'include[]': { change: at('include', ['more.yaml']), see: 'sessions' },
    'tenants.*.users.*': [
      { change: at(`${users}.bob`, { roles: ['owner'] }), see: 'asked' },
      {
        given: at(`${users}.bob`, { roles: ['owner'] }),
        change: at(`${users}.bob`, undefined),
        see: 'asked',
      },
    ],
    'tenants.*.users.*.roles[]': { change: at(`${users}.ana.roles`, []), see: 'asked' },
    'tenants.*.users.*.identities.*': {
      change: at(`${users}.ana.identities.webhook`, 'ana-2'),
      see: 'asked',
    },
    'tenants.*.default_user': {
      given: at(`${users}.bob`, { roles: ['owner'] }),
      change: at('tenants.default.default_user', 'bob'),
      see: 'session',
    },
    'tenants.*.default_agent': { change: at('tenants.default.default_agent', 'other'), see: 'session' },
    'sessions.ttl': { change: at('sessions.ttl', '2h'), see: 'session' },
    'sessions.max_live': { change: at('sessions.max_live', 2), see: 'sessions' },
    'api.allowed_hosts[]': { change: at('api.allowed_hosts', ['gate.example']), see: 'host' },
    'tenants.*.grants.allow_always': {
      change: at('tenants.default.grants.allow_always', false),
      see: 'always',
    },
    'custom_types[]': {
      // A type of one's own is of use in a rule, and a rule that names it is wrong without it.
      change: all(at('custom_types', ['custom:mine']), at('permissions', ['deny:@custom:mine'])),
      see: 'custom',
      also: ['permissions[]'],
    },
    'log.level': { change: at('log.level', 'silent'), see: 'log' },
  },
  async open() {
    const posts = await Posts.start();
    SERVICE.url = posts.url;
    const base: Draft = {
      tenants: {
        default: {
          ...{ default_user: 'ana', default_agent: 'dev' },
          users: { ana: { roles: ['owner'], identities: { webhook: 'ana' } } },
        },
      },
      roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
      agents: { dev: {}, other: {} },
      channels: { webhook: { url: `${posts.url}/q`, secret: 'env:ONE' } },
    };
    const gateway = await startTestGateway({ config: JSON.stringify(base), env: { ONE: 'secret-one' } });
    await writeFile(join(gateway.home, 'more.yaml'), 'sessions: { max_live: 1 }\n');
    return {
      ...{ gateway, base, posts },
      async [Symbol.asyncDispose]() {
        await gateway.close();
        await posts[Symbol.asyncDispose]();
      },
    };
  },
  look: (world, see) => LOOKS[see](world),
};
