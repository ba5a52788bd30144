import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditEvent } from '@sallyport/protocol';
import { startTestGateway } from '@sallyport/testkit';
import { Posts } from '../posts.ts';
import { all, at, type Case, type Draft, type Group, type OpenWorld } from './cases.ts';

type See = 'detail' | 'sinks' | 'stdout' | 'anchors' | 'files';

interface AuditWorld extends OpenWorld {
  readonly posts: Posts;
}

const SERVICE = { url: '' };
const to =
  (path: string, make: (url: string) => unknown): Case<See>['change'] =>
  (draft) =>
    at(path, make(SERVICE.url))(draft);

const hook = to('audit.sinks', (url) => [{ kind: 'webhook', url: `${url}/one` }]);
const otel = to('audit.sinks', (url) => [{ kind: 'otel', endpoint: `${url}/one` }]);
const jsonl = at('audit.sinks', [{ kind: 'jsonl', max_bytes: 104_857_600 }]);
const anchor = to('audit.anchor', (url) => ({ webhook: `${url}/anchor-one` }));
const often = at('audit.checkpoint', { every_seconds: 1 });

export const auditGroup: Group<See, AuditWorld> = {
  name: 'the trail and where it goes',
  cases: {
    'audit.level': { change: at('audit.level', 'request'), see: 'detail' },
    'audit.anchor.webhook': {
      given: all(often, anchor),
      change: to('audit.anchor.webhook', (url) => `${url}/anchor-two`),
      see: 'anchors',
    },
    'audit.anchor.file': {
      given: all(often, at('audit.anchor', { file: 'anchor-one.jsonl' })),
      change: at('audit.anchor.file', 'anchor-two.jsonl'),
      see: 'anchors',
    },
    'audit.sinks[]': [
      { change: hook, see: 'sinks' },
      { given: hook, change: at('audit.sinks', []), see: 'sinks' },
    ],
    'audit.sinks[](webhook).kind': { given: hook, change: otel, see: 'sinks' },
    'audit.sinks[](webhook).url': {
      given: hook,
      change: to('audit.sinks.0.url', (url) => `${url}/two`),
      see: 'sinks',
    },
    'audit.sinks[](webhook).secret': {
      given: hook,
      change: at('audit.sinks.0.secret', 'env:ONE'),
      see: 'sinks',
    },
    'audit.sinks[](otel).kind': { given: otel, change: hook, see: 'sinks' },
    'audit.sinks[](otel).endpoint': {
      given: otel,
      change: to('audit.sinks.0.endpoint', (url) => `${url}/two`),
      see: 'sinks',
    },
    'audit.sinks[](otel).headers.*': {
      given: otel,
      change: at('audit.sinks.0.headers', { 'X-Key': 'env:ONE' }),
      see: 'sinks',
    },
    'audit.sinks[](stdout).kind': {
      given: at('audit.sinks', [{ kind: 'stdout' }]),
      change: hook,
      see: 'sinks',
    },
    'audit.sinks[](jsonl).kind': { given: jsonl, change: hook, see: 'sinks' },
    'audit.sinks[](jsonl).max_bytes': {
      given: jsonl,
      change: at('audit.sinks.0.max_bytes', 4_096),
      see: 'files',
    },
    'audit.checkpoint.every_seconds': {
      given: all(anchor, at('audit.checkpoint', { every_seconds: 86_400 })),
      change: at('audit.checkpoint.every_seconds', 1),
      see: 'anchors',
    },
  },
  async open() {
    const posts = await Posts.start();
    SERVICE.url = posts.url;
    const base: Draft = {
      tenants: {
        default: { default_user: 'ana', default_agent: 'dev', users: { ana: { roles: ['owner'] } } },
      },
      roles: { owner: { allow: ['agent:*', 'tool:*', 'approve:*'] } },
      agents: { dev: { permissions: ['allow:*'] } },
    };
    const gateway = await startTestGateway({
      config: JSON.stringify(base),
      env: { ONE: 'secret-number-one' },
    });
    return {
      ...{ gateway, base, posts },
      async [Symbol.asyncDispose]() {
        await gateway.close();
        await posts[Symbol.asyncDispose]();
      },
    };
  },
  async look({ gateway, posts }, see) {
    const files = () => readdirSync(join(gateway.home, 'audit')).length;
    const filesBefore = files();
    posts.posts.length = 0;
    const { session_id: id, session_token: token } = await gateway.openSession();
    const event = {
      ...{ hook_event_name: 'PreToolUse', session_id: 's', cwd: '/tmp', tool_name: 'Bash' },
      tool_input: { command: 'ls' },
    };
    await gateway.agent('/v1/hooks/claude-code', { token, json: { event, home: '/home/ana' } });
    await gateway.operator(`/v1/sessions/${id}`, { method: 'DELETE' });
    if (see === 'detail') {
      const { items } = (await gateway.operator('/v1/audit/events?limit=10')).json<{ items: AuditEvent[] }>();
      return items.find(({ data }) => data.judged !== undefined)?.data.detail !== undefined;
    }
    // A sink has what happened within a moment, an anchor within its second.
    await sleep(see === 'anchors' ? 1_500 : 300);
    const one = (post: (typeof posts.posts)[number]) =>
      [
        post.path,
        Posts.signerOf(post, ['secret-number-one']) ?? 'unsigned',
        post.headers['x-key'] ?? '',
      ].join(' ');
    return {
      posts: [...new Set(posts.posts.map(one))].toSorted(),
      ...(see === 'files' ? { isNew: files() > filesBefore } : {}),
      ...(see === 'anchors' ? { two: existsSync(join(gateway.home, 'anchor-two.jsonl')) } : {}),
    };
  },
};
