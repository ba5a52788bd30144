import type { JsonObject } from '@sallyport/protocol';
import type { ToolResult } from './tool-path.ts';

/** A result as our own runtimes hand it to a model: one text, and everything else beside it. */
export interface PlainResult {
  readonly content: string;
  /** as the tool said, one to one */
  readonly is_error: boolean;
  readonly metadata: JsonObject;
}

/**
 * Text blocks one after the other; images, sound and other bytes as placeholders, with their base64 in
 * `metadata.attachments`; `structuredContent` as `metadata.structured_content`.
 *
 * `metadata.untrusted` is always set: what a tool says is data, never an instruction [TO-9].
 */
export function plainResult({ content, structuredContent, isError, _meta }: ToolResult): PlainResult {
  const attachments: JsonObject[] = [];
  const attach = (type: string, mime: unknown, data: unknown): string => {
    const base64 = typeof data === 'string' ? data : '';
    const mime_type = typeof mime === 'string' ? mime : 'application/octet-stream';
    attachments.push({ type, mime_type, data: base64 });
    return `[${type} ${attachments.length}: ${mime_type}, ${Math.floor((base64.length * 3) / 4)} bytes]`;
  };
  return {
    content: content.map((block) => textOf(block, attach)).join('\n'),
    is_error: isError === true,
    metadata: {
      untrusted: true,
      ...(attachments.length === 0 ? {} : { attachments }),
      ...(structuredContent === undefined ? {} : { structured_content: structuredContent }),
      ...(_meta === undefined ? {} : { meta: _meta }),
    },
  };
}

type Attach = (type: string, mime: unknown, data: unknown) => string;

function textOf(block: JsonObject, attach: Attach): string {
  const { type, text, data, mimeType, resource, uri } = block;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : '';
    case 'image':
    case 'audio':
      return attach(type, mimeType, data);
    case 'resource':
      return resourceText(resource, attach);
    case 'resource_link':
      return `[resource: ${typeof uri === 'string' ? uri : 'unnamed'}]`;
    // open: whatever a server sends
    default:
      // A kind that nobody here knows is not read to a model as if it were text.
      return `[block of an unknown kind]`;
  }
}

function resourceText(resource: JsonObject[string] | undefined, attach: Attach): string {
  if (typeof resource !== 'object' || resource === null || !('uri' in resource)) return '[resource: none]';
  const { text, blob, mimeType } = resource;
  return typeof text === 'string' ? text : attach('resource', mimeType, blob);
}
