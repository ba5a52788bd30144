import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { type Connection, isObject } from './connection.ts';
import type { McpLimits } from './limits.ts';

const MOST_PAGES = 100;

/** All tools that a server lists, page by page. Rejects when there are more than anyone could accept. */
export async function listTools(connection: Connection, limits: McpLimits): Promise<readonly JsonObject[]> {
  const found: JsonObject[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const params = cursor === undefined ? undefined : { cursor };
    const answer = await connection.request('tools/list', params, { timeoutMs: limits.healthMs });
    const { tools, nextCursor } = answer;
    if (Array.isArray(tools)) found.push(...tools.filter(isObject));
    if (found.length > limits.tools) break;
    if (typeof nextCursor !== 'string' || nextCursor === '') return found;
    cursor = nextCursor;
  }
  throw new SallyportError('ToolServerUnavailable', {
    message: `the tool server lists more than ${limits.tools} tools, or pages without end`,
  });
}
