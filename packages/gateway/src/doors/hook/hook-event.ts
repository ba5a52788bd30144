import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { overriddenInput } from '../../calls/index.ts';

/** What a client tells its hook about one tool call. */
export interface HookEvent {
  readonly kind: HookEventKind;
  readonly tool: string;
  readonly input: JsonObject;
  /** absolute */
  readonly cwd: string;
}

/** `PreToolUse`: before every call. `PermissionRequest`: when the client is about to ask its own person. */
export type HookEventKind = 'PreToolUse' | 'PermissionRequest';

const LONGEST_TOOL = 256;
const LONGEST_PATH = 4096;

/** Reads the client's JSON. Throws `BadRequest` for whatever is not a tool call: what cannot be read is not allowed. */
export function readHookEvent(event: unknown): HookEvent {
  if (!isObject(event)) throw unread('the event is not an object');
  const { hook_event_name: kind, tool_name: tool, tool_input: input, cwd } = event;
  if (kind !== 'PreToolUse' && kind !== 'PermissionRequest')
    throw unread('the event is neither `PreToolUse` nor `PermissionRequest`');
  if (typeof tool !== 'string' || tool === '' || tool.length > LONGEST_TOOL)
    throw unread('`tool_name` is missing');
  if (!isObject(input)) throw unread('`tool_input` is not an object');
  if (typeof cwd !== 'string' || !isPath(cwd)) throw unread('`cwd` is not an absolute path');
  // `as`: parsed from JSON.
  return { kind, tool, input: input as JsonObject, cwd };
}

/** Whether a text can be the absolute path of a folder. */
export function isPath(text: string): boolean {
  return text.startsWith('/') && text.length <= LONGEST_PATH && !text.includes('\0');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function unread(message: string): SallyportError {
  return new SallyportError('BadRequest', {
    message,
    hint: 'this version of the client may be newer than Sallyport knows',
  });
}

/** The argument that a bare text stands for, where a tool has one that says it all. */
const OVERRIDE_FIELDS = ['command', 'cmd', 'content', 'new_string', 'url', 'query'] as const;

/**
 * The input that a person wrote in place of a call's own (code 5): the whole of it as a JSON object, or the text of the
 * one argument that matters (`command`, `content`). Throws `Unprocessable` when the tool has no such argument.
 */
export function hookOverride(input: JsonObject, text: string): JsonObject {
  const field = OVERRIDE_FIELDS.find((name) => typeof input[name] === 'string');
  // A text that only looks like an object (`{ ls; }`) is one of a shell.
  if (field === undefined || isJsonObject(text)) return overriddenInput(text);
  if (text === '') throw new SallyportError('Unprocessable', { message: 'the replacement is empty' });
  return { ...input, [field]: text };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
