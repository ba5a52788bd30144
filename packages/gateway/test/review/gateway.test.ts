import { createServer } from 'node:http';
import {
  closeServer,
  listenOnFreePort,
  rawHttp,
  ScriptedModel,
  startTestGateway,
  type TestGateway,
} from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rated, verdict } from './review-fixture.ts';

describe('a whole gateway with a gatekeeper', () => {
  let model: ScriptedModel;
  let gateway: TestGateway;
  let token: string;
  let port = 0;
  let arrived = 0;
  const upstream = createServer((_request, response) => {
    arrived += 1;
    response.end('here');
  });

  beforeAll(async () => {
    port = await listenOnFreePort(upstream);
    model = await ScriptedModel.start({ reply: () => rated('low'), apiKey: 'sk-of-the-model-51c2' });
    gateway = await startTestGateway({
      env: { MODEL_KEY: 'sk-of-the-model-51c2' },
      config: `
roles: { owner: { allow: ["agent:*", "tool:*", "approve:*"] } }
tenants:
  default: { users: { ana: { roles: [owner] } }, default_user: ana, default_agent: dev }
network:
  rules: [{ host: 127.0.0.1, action: allow }]
  allow_private: ["127.0.0.1/32"]
agents:
  dev:
    permissions: ["ask:*"]
    execution: { tool_validation: { http: { criteria: "only reads /fine" } } }
gatekeeper: { model: "openai-compatible:m", base_url: "${model.url}/v1", api_key: "env:MODEL_KEY", auto_approve: low }
`,
    });
    token = (await gateway.openSession('dev')).session_token;
  });
  afterAll(async () => {
    await gateway[Symbol.asyncDispose]();
    await model[Symbol.asyncDispose]();
    await closeServer(upstream);
  });

  const get = (path: string) =>
    rawHttp(
      gateway.ports.proxy ?? 0,
      `GET http://127.0.0.1:${port}${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nProxy-Authorization: Bearer ${token}\r\nConnection: close\r\n\r\n`,
    );

  test('a request passes the judge, then the reviewer, and is carried out', async () => {
    model.reply = ({ text }) => (text.includes('"criteria"') ? verdict('pass') : rated('low'));
    expect(await get('/fine')).toMatchObject({ status: 200, body: expect.stringContaining('here') });
    expect(model.requests.map(({ text }) => text.includes('only reads /fine'))).toEqual([true, false]);
    expect(arrived).toBe(1);
  });

  test('a request that the judge refuses goes nowhere', async () => {
    model.reply = () => verdict('refuse', 'this is not /fine');
    const answer = await get('/other');
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('SemanticJudgeRefused');
    expect(answer.body).toContain('this is not /fine');
    expect(arrived).toBe(1);
  });
});
