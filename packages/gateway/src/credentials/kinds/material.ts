import { SallyportError } from '@sallyport/protocol';
import type { z } from 'zod';
import type { Secret } from '../../shared/secret.ts';

const PRINTABLE = /^[\x20-\x7e]+$/;
const MOST_CHARACTERS = 16_384;
const MOST_FILE = 1_048_576;

/**
 * The material as one line that a header can carry, without blanks around it.
 *
 * SECURITY: refuses line ends and control characters: a value with a line end would write headers of its own.
 */
export function oneLine(material: Secret | undefined): string {
  const text = required(material).trim();
  if (text === '') throw wrong('is empty');
  if (text.length > MOST_CHARACTERS) throw wrong('is longer than a header can be');
  if (!PRINTABLE.test(text)) throw wrong('holds line ends or other characters that no header can carry');
  return text;
}

/** The material as a JSON object of the given shape. Says which keys are wanted, never what was there. */
export function jsonMaterial<Shape>(
  material: Secret | undefined,
  schema: z.ZodType<Shape>,
  wanted: string,
): Shape {
  let value: unknown;
  try {
    value = JSON.parse(required(material));
  } catch {
    // SECURITY: the parser's own words quote what it read.
    throw wrong(`is not JSON; wanted is ${wanted}`);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues.map(({ path }) => `\`${path.map(String).join('.')}\``).join(', ');
  throw wrong(`does not have the right keys (${where}); wanted is ${wanted}`);
}

/** The material as a text of several lines. */
export function textMaterial(material: Secret | undefined): string {
  const text = required(material);
  if (text.trim() === '') throw wrong('is empty');
  if (text.length > MOST_FILE) throw wrong('is longer than 1 MB');
  if (text.includes('\0')) throw wrong('holds a NUL byte');
  return text;
}

function required(material: Secret | undefined): string {
  if (material !== undefined) return material.reveal();
  throw wrong('is missing');
}

/** Material that its kind cannot use, for the operator. */
export function wrong(what: string): SallyportError {
  return new SallyportError('SecretUnreadable', {
    message: `what the source holds ${what}`,
    hint: 'docs/credentials.md says what each kind wants in its source',
  });
}
