import { type JsonObject, SallyportError } from '@sallyport/protocol';
import { isDeepJson } from '../shared/json-depth.ts';

/**
 * The input that a person wrote in place of a call's own (code 5): the whole of it, as a JSON object. Throws
 * `BadRequest` for anything else, before the decision counts.
 */
export function overriddenInput(text: string): JsonObject {
  let value: unknown;
  try {
    value = isDeepJson(text) ? undefined : JSON.parse(text);
  } catch {
    throw notAnInput();
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || hasPrototypeKey(value)) {
    throw notAnInput();
  }
  // `as`: the value of JSON text that is an object.
  return value as JsonObject;
}

/** SECURITY: `__proto__` as an own key turns into a prototype wherever the value is spread. */
function hasPrototypeKey(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return Object.hasOwn(value, '__proto__') || Object.values(value).some(hasPrototypeKey);
}

function notAnInput(): SallyportError {
  return new SallyportError('BadRequest', {
    message: 'the replacement must be the whole input of the tool, as a JSON object',
    hint: 'for example `{"path":"/workspace/notes.md"}`',
  });
}
