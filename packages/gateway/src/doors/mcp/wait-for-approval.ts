import type { JsonObject } from '@sallyport/protocol';
import { type ToolOutcome, WAIT_TOOL } from '../../calls/index.ts';
import { callResult, pendingResult } from './call-results.ts';
import type { MethodCall, MethodParts } from './door-parts.ts';
import { progressTokenOf, Wait } from './patience.ts';

export const WAIT_LISTING: JsonObject = {
  name: WAIT_TOOL,
  description:
    'Waits for the answer of a person to a call that returned `ApprovalPending`, and gives the result of that call. ' +
    'Call it again when it returns `ApprovalPending` itself.',
  inputSchema: {
    type: 'object',
    properties: {
      approval_id: { type: 'string', description: 'the `approval_id` of the pending call: `appr_…`' },
    },
    required: ['approval_id'],
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

/** Fetches what came of a parked call. Runs nothing and decides nothing: the call itself passed the gate. */
export function waitForApproval(
  { client: { session }, params, exchange }: MethodCall,
  { approval_id: approval }: JsonObject,
  { parked, patienceMs }: MethodParts,
): Promise<JsonObject> {
  const owner = session.owner.id;
  const call = typeof approval === 'string' ? parked.find(owner, approval) : undefined;
  if (call === undefined || typeof approval !== 'string') return Promise.resolve(unknownApproval());
  const { promise, resolve, reject } = Promise.withResolvers<JsonObject>();
  const token = progressTokenOf(params);
  const wait = new Wait({ session, exchange, token, patienceMs: patienceMs() }, approval, () => {
    wait.end();
    resolve(pendingResult(approval));
  });
  call.outcome
    .then((outcome: ToolOutcome) => {
      // The answer to a client that left in the meantime is kept for when it asks again.
      if (!exchange.isOver) parked.take(owner, approval);
      resolve(callResult(outcome));
    })
    .catch(reject)
    .finally(() => wait.end());
  return promise;
}

function unknownApproval(): JsonObject {
  return {
    content: [
      {
        type: 'text',
        text: 'NotFound: no call of this session waits for that approval. Send the call itself again if it is still wanted.',
      },
    ],
    structuredContent: { code: 'NotFound' },
    isError: true,
  };
}
