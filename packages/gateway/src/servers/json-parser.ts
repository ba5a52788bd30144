import { SallyportError } from '@sallyport/protocol';
import { isDeepJson } from '../shared/json-depth.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body; undefined when the body is empty.
 *
 * Refuses bytes that are not UTF-8, what is nested too deeply to be meant, and the keys that would reach an object's prototype.
 */
export function parseJsonBody(body: Buffer): unknown {
  if (body.length === 0) return undefined;
  let text: string;
  try {
    text = utf8.decode(body);
  } catch (cause) {
    throw new SallyportError('BadRequest', { message: 'the body is not UTF-8', cause });
  }
  if (isDeepJson(text)) {
    throw new SallyportError('BadRequest', {
      message: 'the body is nested too deeply',
      hint: 'lists and objects may be 100 levels deep',
    });
  }
  try {
    // The closer look takes four times as long, and only these can spell the key.
    return text.includes('__proto__') || text.includes('\\u')
      ? JSON.parse(text, refusePrototypeKeys)
      : JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SallyportError) throw cause;
    throw new SallyportError('BadRequest', { message: 'the body is not JSON', cause });
  }
}

function refusePrototypeKeys(key: string, value: unknown): unknown {
  // SECURITY: `__proto__` as an own key turns into a prototype wherever the value is merged or spread.
  if (key === '__proto__') {
    throw new SallyportError('BadRequest', { message: 'the body has a key `__proto__`' });
  }
  return value;
}
