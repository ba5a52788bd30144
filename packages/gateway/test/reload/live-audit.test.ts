import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startTestGateway, type TestGateway, waitFor } from '@sallyport/testkit';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Posts } from './posts.ts';

const USERS = `
tenants: { default: { default_user: ana, default_agent: helper, users: { ana: { roles: [owner] } } } }
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
agents: { helper: {} }
`;
const config = (...sinks: readonly string[]) => `${USERS}audit: { sinks: [${sinks.join(', ')}] }\n`;

let posts: Posts;
let gateway: TestGateway;
beforeEach(async () => {
  posts = await Posts.start();
});
afterEach(async () => {
  await gateway.close();
  await posts[Symbol.asyncDispose]();
});

const hook = (path: string, more = '') => `{ kind: webhook, url: "${posts.url}${path}"${more} }`;
const change = async (text: string): Promise<{ problems: { key: string; message: string }[] }> => {
  await gateway.writeConfig(text);
  const answer = await gateway.operator('/v1/config/reload', { method: 'POST' });
  expect(answer.status).toBe(200);
  return answer.json<{ config: { problems: { key: string; message: string }[] } }>().config;
};

test('[CF-1] a sink that is added gets what happens from then on, one that is removed nothing more, one that stays everything once', async () => {
  gateway = await startTestGateway({ config: config(hook('/stays'), hook('/goes')) });
  await gateway.openSession();
  await waitFor('the session at the first sink', () =>
    expect(posts.typesAt('/goes')).toContain('SessionEvent::Opened'),
  );
  // The list is another one: whoever stays is known by its place, not by its number.
  await change(config(hook('/comes'), hook('/stays')));
  const gone = posts.at('/goes').length;
  await gateway.openSession();
  await gateway.openSession();
  const opened = (path: string) =>
    posts.typesAt(path).filter((type) => type === 'SessionEvent::Opened').length;
  await waitFor('the sessions at both sinks', () =>
    expect([opened('/stays'), opened('/comes')]).toEqual([3, 2]),
  );
  expect(posts.at('/goes')).toHaveLength(gone);
});

test('a sink whose secret cannot be read is named by `status`, and the others go on', async () => {
  gateway = await startTestGateway({ config: config(hook('/one')) });
  const { problems } = await change(config(hook('/one'), hook('/two', ', secret: "env:NOT_SET"')));
  expect(problems).toEqual([
    expect.objectContaining({ key: 'audit.sinks.1', message: 'variable `NOT_SET` is not set' }),
  ]);
  const status = (await gateway.operator('/v1/status')).json();
  expect(status).toMatchObject({ config: { problems: [{ key: 'audit.sinks.1' }] } });
  await gateway.openSession();
  await waitFor('the session at the sink', () =>
    expect(posts.typesAt('/one')).toContain('SessionEvent::Opened'),
  );
  expect((await change(config(hook('/one')))).problems).toEqual([]);
});

test('a secret that was rotated signs from the next reload on, though the config is the same', async () => {
  gateway = await startTestGateway({ config: USERS });
  const file = join(gateway.home, 'hook.secret');
  const signs = (secret: string): boolean =>
    posts.at('/signed').some((post) => Posts.signerOf(post, [secret]) !== undefined);
  await writeFile(file, 'the-first-secret', { mode: 0o600 });
  await change(config(hook('/signed', ', secret: "file:hook.secret"')));
  await gateway.openSession();
  await waitFor('a delivery that is signed with the first secret', () =>
    expect(signs('the-first-secret')).toBe(true),
  );
  await writeFile(file, 'the-second-secret', { mode: 0o600 });
  const same = await gateway.operator('/v1/config/reload', { method: 'POST' });
  expect(same.json()).toMatchObject({ changed: false });
  await gateway.openSession();
  await waitFor('a delivery that is signed with the second secret', () =>
    expect(signs('the-second-secret')).toBe(true),
  );
});

test('a sink that hangs does not hold up a change of the others', async () => {
  posts.hanging.add('/hangs');
  gateway = await startTestGateway({ config: config(hook('/hangs')) });
  await gateway.openSession();
  await gateway.writeConfig(config(hook('/new')));
  await waitFor('a session at the new sink', async () => {
    await gateway.openSession();
    expect(posts.typesAt('/new')).toContain('SessionEvent::Opened');
  });
});
