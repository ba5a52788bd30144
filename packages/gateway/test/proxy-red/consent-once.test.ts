import { createTestCa, type EchoServer, startEchoServer } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openReach, type Reach } from '../proxy-clients/clients-fixture.ts';
import { type ProxiedAnswer, proxied } from '../proxy-clients/proxied.ts';

let echo: EchoServer;
let reach: Reach;
beforeAll(async () => {
  const ca = await createTestCa();
  echo = await startEchoServer({ ca });
  reach = await openReach({ ca });
});
afterAll(async () => {
  await reach[Symbol.asyncDispose]();
  await echo.close();
});
beforeEach(() => {
  echo.seen.length = 0;
});

describe('[AP-1] consent that is used later is consent to what was shown', () => {
  const send = (path: string, headers: Record<string, string>): Promise<ProxiedAnswer> =>
    proxied(reach, `${echo.url}${path}`, {
      body: '{"TableName":"customers"}',
      headers: { prefer: 'respond-async', ...headers },
    });

  test.each([
    [
      'the header that names the operation',
      { 'x-amz-target': 'DynamoDB_20120810.UpdateTimeToLive' },
      { 'x-amz-target': 'DynamoDB_20120810.DeleteTable' },
    ],
    ['a header that changes what is done', { 'x-amz-acl': 'private' }, { 'x-amz-acl': 'public-read' }],
    ['a header that was not there', {}, { 'x-goog-user-project': 'another' }],
    ['how the body is read', { 'content-type': 'text/plain' }, { 'content-type': 'application/json' }],
  ])('%s', async (what, shown, sent) => {
    const path = `/${encodeURIComponent(what)}`;
    expect((await send(path, shown)).status).toBe(202);
    await reach.decide(await reach.question(), '1');
    // Another question, which nobody has answered.
    expect((await send(path, sent)).status).toBe(202);
    expect(echo.seen).toEqual([]);
    await reach.decide(await reach.question(), '3');
    // The one that was consented to still passes, with another trace and date.
    const again = { ...shown, date: new Date(1).toUTCString(), traceparent: '00-2', 'x-request-id': '2' };
    expect((await send(path, again)).status).toBe(200);
    expect(echo.seen).toHaveLength(1);
  });
});
