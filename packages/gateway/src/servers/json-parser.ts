import { SallyportError } from '@sallyport/protocol';
import { isDeepJson } from '../shared/json-depth.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The value of a JSON body; undefined when the body is empty.
 *
 * Refuses bytes that are not UTF-8, what is nested too deeply to be meant, half characters, and the keys that would
 * reach an object's prototype.
 */
export function parseJsonBody(body: Uint8Array): unknown {
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
    const hasEscapes = text.includes('\\u');
    // The closer look takes four times as long, and only these can spell the key.
    const value: unknown =
      hasEscapes || text.includes('__proto__') ? JSON.parse(text, refusePrototypeKeys) : JSON.parse(text);
    if (hasEscapes && HALF_CHARACTER.test(text)) refuseHalfCharacters(value);
    return value;
  } catch (cause) {
    if (cause instanceof SallyportError) throw cause;
    throw new SallyportError('BadRequest', { message: 'the body is not JSON', cause });
  }
}

// The bytes are UTF-8, which has no half characters: only an escape can spell one.
const HALF_CHARACTER = /\\ud[89a-f]/i;
/** What a tool is to be given: the gate refuses it by what is wrong with it, and the trail has it. */
const INPUTS: ReadonlySet<string> = new Set(['tool_input', 'arguments']);

/** SECURITY: half a character has no UTF-8 form: what is kept, hashed or sent on would be another text. */
function refuseHalfCharacters(value: unknown): void {
  if (typeof value === 'string' && !value.isWellFormed()) throw halfCharacter();
  if (typeof value !== 'object' || value === null) return;
  for (const [key, member] of Object.entries(value)) {
    if (!key.isWellFormed()) throw halfCharacter();
    if (!INPUTS.has(key)) refuseHalfCharacters(member);
  }
}

function halfCharacter(): SallyportError {
  return new SallyportError('BadRequest', { message: 'the body has text that is not valid Unicode' });
}

function refusePrototypeKeys(key: string, value: unknown): unknown {
  // SECURITY: `__proto__` as an own key turns into a prototype wherever the value is merged or spread.
  if (key === '__proto__') {
    throw new SallyportError('BadRequest', { message: 'the body has a key `__proto__`' });
  }
  return value;
}
