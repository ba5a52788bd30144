import type { JsonObject } from '@sallyport/protocol';
import { type CallRefusal, refusalText, type ToolOutcome } from '../../calls/index.ts';
import { RPC, RpcProblem } from './json-rpc.ts';

/** The result of `tools/call`. What a tool gave passes unchanged; a refusal is an error that a model can act on. */
export function callResult(outcome: ToolOutcome): JsonObject {
  if (outcome.kind !== 'done') {
    // The server's own answer in its own protocol is the client's.
    if (outcome.kind === 'failed' && outcome.answered !== undefined) {
      const { code, message, data } = outcome.answered;
      throw new RpcProblem(code, message, data);
    }
    return refusalResult(outcome.refusal);
  }
  const { content, structuredContent, isError, meta } = outcome.result;
  const said = outcome.note === undefined ? content : [...content, noteBlock(outcome.note)];
  return {
    content: said,
    ...(structuredContent === undefined ? {} : { structuredContent }),
    ...(isError ? { isError } : {}),
    ...(meta === undefined ? {} : { _meta: meta }),
  };
}

function noteBlock(note: string): JsonObject {
  return { type: 'text', text: `Note of the person who allowed this: ${note}` };
}

export function refusalResult(refusal: CallRefusal): JsonObject {
  const { code, message, hint, layer, rule, actionId, approval } = refusal;
  return {
    content: [{ type: 'text', text: refusalText(refusal) }],
    structuredContent: {
      code,
      message,
      ...(hint === undefined ? {} : { hint }),
      ...(layer === undefined ? {} : { layer }),
      ...(rule === undefined ? {} : { rule }),
      action_id: actionId,
      ...(approval === undefined ? {} : { approval_id: approval }),
    },
    isError: true,
  };
}

/** A refusal where there is no result to put it in: reading a resource, getting a prompt. */
export function refusalProblem(refusal: CallRefusal): RpcProblem {
  const { structuredContent } = refusalResult(refusal);
  return new RpcProblem(RPC.internal, refusalText(refusal), structuredContent ?? null);
}

/** People are asked, and this client cannot wait for their answer: an error, so that no schema is expected of it. */
export function pendingResult(approval: string): JsonObject {
  return {
    content: [
      {
        type: 'text',
        text:
          `ApprovalPending: a person has been asked and has not answered yet. Call \`wait_for_approval\` with ` +
          `{"approval_id":"${approval}"} to get the result of this call. Do not send the call again.`,
      },
    ],
    structuredContent: { code: 'ApprovalPending', approval_id: approval },
    isError: true,
  };
}
