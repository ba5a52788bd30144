import { SallyportError } from '@sallyport/protocol';
import Fastify from 'fastify';
import { expect, test } from 'vitest';
import { hookWitnessRoute } from './witness-route.ts';

const asked: unknown[] = [];
const app = Fastify();
app.setErrorHandler((error, _request, reply) =>
  reply.code(error instanceof SallyportError ? 401 : 500).send({ error: String(error) }),
);
// A request that was never on a wire cannot time out.
app.addHook('onRequest', async ({ raw }) => void Object.assign(raw, { setTimeout: () => raw }));
hookWitnessRoute(app as unknown as Parameters<typeof hookWitnessRoute>[0], {
  async witness(body) {
    asked.push(body);
    return { jsonrpc: '2.0' };
  },
});

test.for([
  { from: '127.0.0.1', status: 200 },
  { from: '::1', status: 200 },
  { from: '::ffff:127.0.0.1', status: 200 },
  { from: '192.0.2.7', status: 401 },
  { from: '10.0.0.5', status: 401 },
  { from: '::ffff:192.0.2.7', status: 401 },
])('[ID-1] from `$from` what hooks were told is answered with $status', async ({ from, status }) => {
  asked.length = 0;
  const answer = await app.inject({
    ...{ method: 'POST', url: '/v1/hooks/codex/mcp', remoteAddress: from },
    payload: { jsonrpc: '2.0', id: 1, method: 'ping' },
  });
  expect(answer.statusCode).toBe(status);
  expect(asked).toHaveLength(status === 200 ? 1 : 0);
});
