import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import type { JsonObject } from '@sallyport/protocol';
import type { SealClient } from './seal-client.ts';
import { WorkerError } from './worker-error.ts';

/** One call of the loop, as a line of JSON. */
interface CallLine {
  readonly id: number | string;
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Lines of `input`, one after the other; they wait until somebody asks. */
export function linesOf(input: Readable): AsyncIterator<string> {
  return createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[Symbol.asyncIterator]();
}

/** Answers each line with one that has its `id`, as soon as it is known; done when the lines are. */
export async function serveLines(
  lines: AsyncIterator<string>,
  client: Pick<SealClient, 'call'>,
  write: (line: JsonObject) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  for (let next = await lines.next(); next.done !== true; next = await lines.next()) {
    if (next.value.trim() === '') continue;
    const answered = answer(next.value, client).then(write);
    underWay.add(answered);
    void answered.finally(() => underWay.delete(answered));
  }
  await Promise.all(underWay);
}

async function answer(text: string, client: Pick<SealClient, 'call'>): Promise<JsonObject> {
  const call = parseCall(text);
  if (call === undefined) {
    return { id: null, type: 'failed', code: 'BadLine', message: 'a line is `{"id", "tool", "arguments"}`' };
  }
  try {
    const { in_reply_to: _nonce, ...said } = await client.call(call.tool, call.arguments);
    return { id: call.id, ...said };
  } catch (error) {
    const code = error instanceof WorkerError ? error.code : 'Internal';
    const message = error instanceof Error ? error.message : String(error);
    return { id: call.id, type: 'failed', code, message };
  }
}

function parseCall(text: string): CallLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof value !== 'object' || value === null || !('id' in value) || !('tool' in value)) return undefined;
  const { id, tool } = value;
  const input: unknown = 'arguments' in value ? value.arguments : {};
  if ((typeof id !== 'number' && typeof id !== 'string') || typeof tool !== 'string') return undefined;
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return undefined;
  // `as`: the value of JSON text that is an object.
  return { id, tool, arguments: input as JsonObject };
}
