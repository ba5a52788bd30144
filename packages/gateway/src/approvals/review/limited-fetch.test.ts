import { createServer } from 'node:http';
import { closeServer, listenOnFreePort } from '@sallyport/testkit';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { limitedFetch } from './limited-fetch.ts';

const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);
const ANSWERS: Readonly<Record<string, string>> = {
  '/deep': `{"content":${nested(100_000)}}`,
  '/deep-inside': JSON.stringify({ content: `{"risk":"low","reasons":${nested(100_000)}}` }),
  '/pieces': `{"content":${nested(300)}}`,
  '/fine': JSON.stringify({ content: nested(40), more: '[(['.repeat(10) }),
  '/many': JSON.stringify(Array.from({ length: 5_000 }, () => ({ a: [1] }))),
};

const server = createServer((request, response) => {
  const text = ANSWERS[request.url ?? ''] ?? '';
  if (request.url === '/pieces') for (const char of text) response.write(char);
  response.end(request.url === '/pieces' ? '' : text);
});
let origin = '';
beforeAll(async () => {
  origin = `http://127.0.0.1:${await listenOnFreePort(server)}`;
});
afterAll(() => closeServer(server));

describe('the answer of a model', () => {
  test.each(['/deep', '/deep-inside', '/pieces'])(
    'breaks off where it is nested too deeply: %s',
    async (path) => {
      const answer = await limitedFetch(origin + path);
      await expect(answer.text()).rejects.toThrow('the answer of the model is nested too deeply');
    },
  );

  test.each(['/fine', '/many'])('is handed on as it is: %s', async (path) => {
    const answer = await limitedFetch(origin + path);
    expect(await answer.text()).toBe(ANSWERS[path]);
  });
});
