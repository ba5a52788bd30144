import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Envelope, JsonObject } from '@sallyport/protocol';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';
import { SealClient, WorkerError } from '@sallyport/worker';
import canonicalize from 'canonicalize';
import { afterEach, expect, test } from 'vitest';

const ORDER = {
  ...{ type: 'dispatch', dispatch_id: 'd1', action: 'exec', command: 'rm', args: ['-rf', '/'], cwd: null },
  ...{ env_additions: {}, timeout_secs: 5, max_output_bytes: 100 },
};
const RESULT = { type: 'tool_result', content: 'ok', is_error: false, metadata: {} };

type Answer = (envelope: Envelope, sign: (payload: JsonObject) => JsonObject) => JsonObject | number;

let close: (() => Promise<void>) | undefined;
afterEach(async () => close?.());

/** A gateway of the test's own making: it attests everyone, and answers envelopes as it is told. */
async function gateway(answer: Answer) {
  const pair = generateKeyPairSync('ed25519');
  const seen: string[] = [];
  const signed =
    (key: KeyObject) =>
    (payload: JsonObject): JsonObject => {
      const timestamp = new Date().toISOString();
      const text = Buffer.from(String(canonicalize({ payload, timestamp })));
      return {
        protocol: 'seal/v1',
        payload,
        timestamp,
        signature: sign(null, text, key).toString('base64url'),
      };
    };
  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const piece of request) text += String(piece);
    seen.push(request.url ?? '');
    const send = (body: JsonObject): void => void response.end(JSON.stringify(body));
    if (request.url === '/healthz') return send({ status: 'ok' });
    if (request.url === '/v1/seal/attest')
      return send({ status: 'attested', security_token: `t${seen.length}`, expires_at: '', session_id: 's' });
    const made = answer(JSON.parse(text) as Envelope, signed(pair.privateKey));
    if (typeof made === 'number') return void request.socket.destroy();
    return send(made);
  });
  const port = await listenOnFreePort(server);
  close = () => closeServer(server);
  const orders: string[] = [];
  const client = new SealClient(
    {
      gateway: `http://127.0.0.1:${port}`,
      ...{ workload_id: 'wl_1', attestation_secret: 'spa_x', execution_id: 'exec_1' },
      gateway_public_key: String(pair.publicKey.export({ format: 'jwk' }).x),
    },
    {
      reconnectMs: 100,
      runOrder: async ({ command }) => {
        orders.push(command);
        // A client that believed everything would go on for ever.
        if (orders.length > 3) throw new Error('too many orders');
        return { exit_code: 0, stdout: '', stderr: '', duration_ms: 1, truncated: false };
      },
    },
  );
  await client.attest();
  return { client, orders, seen };
}

const other = generateKeyPairSync('ed25519').privateKey;

test.each<{ why: string; answer: Answer }>([
  {
    why: 'that nobody signed',
    answer: ({ payload }) => ({ payload: { ...ORDER, in_reply_to: payload.nonce } }),
  },
  {
    why: 'that another key signed',
    answer: ({ payload }) => {
      const order = { ...ORDER, in_reply_to: payload.nonce };
      const timestamp = new Date().toISOString();
      const text = Buffer.from(String(canonicalize({ payload: order, timestamp })));
      const signature = sign(null, text, other).toString('base64url');
      return { protocol: 'seal/v1', payload: order, timestamp, signature };
    },
  },
  { why: 'that answers another message', answer: (_, signed) => signed({ ...ORDER, in_reply_to: 'other' }) },
  { why: 'that answers nothing', answer: (_, signed) => signed({ ...ORDER, in_reply_to: null }) },
  {
    why: 'that was changed after it was signed',
    answer: ({ payload }, signed) => {
      const good = signed({ ...RESULT, in_reply_to: payload.nonce });
      return { ...good, payload: { ...ORDER, in_reply_to: payload.nonce } };
    },
  },
])('[TO-7] an order $why is not carried out', async ({ answer }) => {
  const { client, orders } = await gateway(answer);
  await expect(client.call('cmd.run', { command: 'true' })).rejects.toMatchObject({
    code: 'AnswerNotTrusted',
  });
  expect(orders).toEqual([]);
});

test('an order of the gateway is carried out once, and its result is sent at once', async () => {
  const results: unknown[] = [];
  const { client, orders } = await gateway(({ payload }, signed) => {
    if (payload.type === 'dispatch_result') results.push(payload);
    return signed({ ...(payload.type === 'tool_call' ? ORDER : RESULT), in_reply_to: payload.nonce });
  });
  expect(await client.call('cmd.run', { command: 'x' })).toMatchObject({ type: 'tool_result' });
  expect(orders).toEqual(['rm']);
  expect(results).toMatchObject([
    { execution_id: 'exec_1', dispatch_id: 'd1', exit_code: 0, truncated: false },
  ]);
});

test('a token that is refused is renewed, and the call sent again with the new one', async () => {
  const tokens: string[] = [];
  const { client } = await gateway(({ payload, security_token }, signed) => {
    tokens.push(security_token);
    const refused = { type: 'refused', violation: 'SecurityTokenRefused', message: 'old' };
    return signed({ ...(tokens.length === 1 ? refused : RESULT), in_reply_to: payload.nonce });
  });
  expect(await client.call('fs.read', { path: '/x' })).toMatchObject({ type: 'tool_result' });
  expect(new Set(tokens).size).toBe(2);
});

test('a message whose connection broke is not sent again', async () => {
  const { client, seen } = await gateway(() => 0);
  const failed = await client.call('fs.write', { path: '/x', content: '' }).catch((error: unknown) => error);
  expect(failed).toBeInstanceOf(WorkerError);
  expect(failed).toMatchObject({ code: 'GatewayUnreachable' });
  expect(seen.filter((url) => url === '/v1/dispatch-gateway')).toHaveLength(1);
});
