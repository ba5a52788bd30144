import { BracketDepth } from '../../shared/json-depth.ts';

const ANSWER_BYTES_AT_MOST = 1_048_576;

/**
 * `fetch` for a model's API: it follows no redirect, and an answer that is longer or nested more deeply than any
 * answer should be breaks off.
 *
 * SECURITY: the request holds the key and the action: they go where the operator said and nowhere else.
 */
export const limitedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, { ...init, redirect: 'error' });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limit()), { status, statusText, headers });
};

function limit(): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0;
  const depth = new BracketDepth();
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.byteLength;
      if (seen > ANSWER_BYTES_AT_MOST) controller.error(new Error('the answer of the model is too long'));
      else if (depth.isDeep(chunk))
        controller.error(new Error('the answer of the model is nested too deeply'));
      else controller.enqueue(chunk);
    },
  });
}
