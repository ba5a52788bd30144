import { createTestCa, startEchoServer, waitUntil } from '@sallyport/testkit';
import { expect, test } from 'vitest';
import { openReach } from './clients-fixture.ts';
import { proxied } from './proxied.ts';

/** Long enough for three requests on any machine; the question is open when it is over. */
const GATHER_MS = 1_500;

test('[AP-1] parallel writes of one operation are one question, whose yes is for exactly what it lists', async () => {
  const ca = await createTestCa();
  const echo = await startEchoServer({ ca });
  await using reach = await openReach({ ca, gatherMs: GATHER_MS });
  const send = (id: number, path = 'items') =>
    proxied(reach, `${echo.url}/${path}/${id}`, {
      body: `item ${id}`,
      headers: { 'content-type': 'text/plain' },
    });
  const sent = [send(1), send(2), send(3), send(4, 'others')];
  const asked = await waitUntil('two questions', async () => {
    const { items } = (await reach.gateway.operator('/v1/approvals?status=pending')).json<{
      items: { id: string; binding: string; title: string; preview: string; choices: { code: string }[] }[];
    }>();
    return items.length === 2 ? items : undefined;
  });
  const list = asked.find(({ title }) => title.startsWith('3 at once'));
  const other = asked.find((one) => one !== list);
  for (const id of [1, 2, 3]) expect(list?.preview).toContain(`item ${id}`);
  expect(other?.preview).toContain('item 4');
  expect(list?.choices.map(({ code }) => code)).toEqual(['1', '2', '3', '4', '6']);
  const decide = (question: typeof list, code: string) =>
    reach.gateway.operator(`/v1/approvals/${question?.id}/decision`, {
      json: { code, binding: question?.binding },
    });
  expect((await decide(list, '1')).status).toBe(200);
  expect((await decide(other, '3')).status).toBe(200);
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual([200, 200, 200, 403]);
  expect(echo.seen).toHaveLength(3);
  const again = send(2);
  await reach.decide(await reach.question(), '3');
  expect((await again).status).toBe(403);
  await echo.close();
});
