import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { overriddenInput } from '../../calls/index.ts';

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
