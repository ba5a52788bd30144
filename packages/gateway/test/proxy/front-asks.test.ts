import { hash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { closeServer, listenOnFreePort, waitUntil } from '@sallyport/testkit';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answers, errorOf, type Front, openFront, statusOf } from './front-fixture.ts';

let front: Front;
let upstream: Server;
let port = 0;
const bodies: Buffer[] = [];

beforeAll(async () => {
  upstream = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    bodies.push(Buffer.concat(chunks));
    response.end('done');
  });
  port = await listenOnFreePort(upstream);
  front = await openFront({
    config: {
      network: {
        rules: [{ host: 'denied.example', action: 'deny' }],
        preview_body_bytes: 1_000,
        max_spool_bytes: 200_000,
      },
      tenants: { default: { exceptions: [] } },
    },
  });
});
afterAll(async () => {
  await front[Symbol.asyncDispose]();
  await closeServer(upstream);
});
beforeEach(() => {
  bodies.length = 0;
  front.lookups.length = 0;
  front.questions.length = 0;
  front.trail.events.length = 0;
  front.people = 'yes';
});

const post = (body: string, fields = '', host = `api.example.com:${port}`): string =>
  `POST http://${host}/x HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n${fields}Content-Length: ${body.length}\r\n\r\n${body}`;

async function exchange(bytes: string): Promise<string> {
  const wire = await front.dial();
  wire.send(bytes);
  const text = await wire.until(answers(1));
  wire.socket.destroy();
  return text;
}

describe('a write that must ask', () => {
  const big = 'x'.repeat(150_000);

  test('preview_body_bytes is how much of a body is judged and shown', async () => {
    expect(statusOf(await exchange(post(big)))).toBe(200);
    const [question] = front.questions;
    const digest = hash('sha256', big);
    expect(question?.preview).toContain(
      `${'x'.repeat(1_000)}\n[the body goes on: 150000 bytes, sha256 ${digest}]`,
    );
    expect(question?.preview).not.toContain('x'.repeat(1_001));
    // What was asked about is what was sent.
    expect(bodies.map((body) => hash('sha256', body))).toEqual([digest]);
    expect(front.spooled()).toEqual([]);
  });

  test('a small one is shown whole and kept in memory', async () => {
    expect(statusOf(await exchange(post('{"to":"bob"}')))).toBe(200);
    expect(front.questions[0]?.preview).toContain('{"to":"bob"}');
    expect(bodies.map(String)).toEqual(['{"to":"bob"}']);
  });

  test('is asked once, and recorded once as judged and once as done', async () => {
    await exchange(post(big));
    expect(front.questions).toHaveLength(1);
    expect(front.events('ActionEvent::Judged')).toHaveLength(1);
    expect(front.events('ProxyEvent::RequestAllowed')).toHaveLength(1);
  });

  test('max_spool_bytes bounds what is kept while people are asked', async () => {
    const text = await exchange(post('x'.repeat(250_000)));
    expect(statusOf(text)).toBe(413);
    expect(errorOf(text)).toMatchObject({ code: 'PayloadTooLarge' });
    expect(front.questions).toEqual([]);
    expect(bodies).toEqual([]);
    expect(front.spooled()).toEqual([]);
  });

  test('in chunks of unknown size is spooled likewise', async () => {
    const host = `api.example.com:${port}`;
    const chunk = `3e8\r\n${'y'.repeat(1_000)}\r\n`;
    const head = `POST http://${host}/x HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\nTransfer-Encoding: chunked\r\n\r\n`;
    expect(statusOf(await exchange(`${head}${chunk.repeat(50)}0\r\n\r\n`))).toBe(200);
    expect(bodies.map((body) => body.length)).toEqual([50_000]);
    expect(front.questions[0]?.preview).toContain('50000 bytes');
  });

  test.each([
    ['no', 403, 'ApprovalDenied'],
    ['late', 408, 'ApprovalTimeout'],
  ] as const)('people say %s: %s', async (said, status, code) => {
    front.people = said;
    const text = await exchange(post(big));
    expect(statusOf(text)).toBe(status);
    expect(errorOf(text)).toMatchObject({ code });
    expect(errorOf(text).action_id).toMatch(/^act_/);
    expect(text).toContain('X-Sallyport-Verdict: deny');
    expect(bodies).toEqual([]);
    expect(front.events('ProxyEvent::RequestBlocked')).toEqual([]);
    expect(front.lookups).toEqual([]);
  });

  test('[NE-1] while people are asked nothing is sent, looked up or dialled; an agent that leaves cancels', async () => {
    front.people = 'wait';
    const wire = await front.dial();
    wire.send(post(big));
    await waitUntil('a question', () => front.questions.length > 0);
    expect(wire.text()).toBe('');
    expect(front.lookups).toEqual([]);
    wire.socket.destroy();
    await waitUntil('the verdict', () => front.events('ActionEvent::Judged').length > 0);
    expect(front.events('ActionEvent::Judged')).toMatchObject([{ violation: 'ApprovalCancelled' }]);
    expect(bodies).toEqual([]);
  });

  test('with Prefer: respond-async is answered 202 and where to look', async () => {
    const text = await exchange(post('hello', 'Prefer: respond-async, wait=10\r\n'));
    expect(statusOf(text)).toBe(202);
    expect(text).toMatch(/Location: \/v1\/approvals\/appr_1\r\n/);
    expect(text).toMatch(/Preference-Applied: respond-async/);
    expect(bodies).toEqual([]);
  });
});

describe('what the policy refuses', () => {
  test('[NE-1] a denied host is neither looked up nor dialled, and the refusal says why', async () => {
    const text = await exchange(post('hello', '', 'denied.example'));
    expect(statusOf(text)).toBe(403);
    expect(errorOf(text)).toMatchObject({ code: 'DomainNotAllowed', layer: 'boundary' });
    expect(front.lookups).toEqual([]);
    expect(front.trail.events).toHaveLength(1);
  });

  test('[NE-1] data in a host name goes nowhere: the name is judged before it is looked up', async () => {
    front.people = 'no';
    await exchange(post('', '', 'c2VjcmV0.exfil.example'));
    expect(front.lookups).toEqual([]);
  });

  test('[NE-9] a GET with a body is a write, and asks', async () => {
    front.people = 'no';
    const host = `api.example.com:${port}`;
    const head = `GET http://${host}/ HTTP/1.1\r\nHost: ${host}\r\nProxy-Authorization: ${front.auth}\r\n`;
    expect(statusOf(await exchange(`${head}Content-Length: 2\r\n\r\nhi`))).toBe(403);
    expect(statusOf(await exchange(`${head}\r\n`))).toBe(200);
    expect(front.questions).toHaveLength(1);
  });

  test('telemetry is refused without a question, one event a minute', async () => {
    const telemetry = post('x', '', 'telemetry.example');
    for (let count = 0; count < 3; count++) expect(statusOf(await exchange(telemetry))).toBe(403);
    expect(front.questions).toEqual([]);
    expect(front.trail.events).toHaveLength(1);
    front.clock.advance(61_000);
    await exchange(telemetry);
    expect(front.events('ProxyEvent::RequestBlocked')).toMatchObject([{ refused: 1 }, { refused: 3 }]);
  });
});
