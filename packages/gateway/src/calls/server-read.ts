import type { Action } from '@sallyport/protocol';
import { finishAction, riskOf } from '../actions/index.ts';
import { visibleText } from '../shared/visible-text.ts';
import { SERVER_READS, type ServerReadRequest } from './tool-call.ts';

const NAME = new RegExp(`^mcp:[^/]+/(?:${SERVER_READS.join('|')})$`);

/** Whether a name is that of something to read at a server, and not of a tool. */
export function isServerRead(tool: string): boolean {
  return tool.startsWith('mcp:') && NAME.test(tool);
}

/** The action of reading something of a server: it asks for data and changes nothing. */
export function readAction(
  { door, actor, server, method }: ServerReadRequest,
  input: ServerReadRequest['input'],
): Action {
  const tool = `mcp:${server}/${method}`;
  const type = 'external_data:request';
  return finishAction({
    ...{ door, actor, tool, type, input },
    effect: 'read',
    reach: 'remote',
    risk: riskOf(type, 'read'),
    target: { kind: 'mcp', server, tool: method },
    preview: visibleText(`${tool}\n${JSON.stringify(input)}`),
  });
}
