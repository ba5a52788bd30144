import type { JsonObject } from '@sallyport/protocol';
import { canonicalJson, sha256Hex } from '../../shared/canonical-json.ts';
import { isObject } from '../../shared/json-rpc.ts';

/** One definition may be so long, in characters of its canonical JSON; a longer one is nobody's to read. */
const LONGEST = 256 * 1024;
/** As in rules: what cannot be written there cannot be allowed or denied. */
const TOOL_NAME = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,127}$/;

/** Something that a server says and a model reads. */
export interface Definition {
  readonly kind: 'tool' | 'instructions';
  /** of the tool; empty for the instructions */
  readonly name: string;
  /** RFC 8785 JSON */
  readonly text: string;
  /** sha-256 of `text` */
  readonly hash: string;
}

/**
 * A tool as its server lists it: all of it, so that nothing that a client may show to a model (title, schemas,
 * annotations, `_meta`) can change unseen. Undefined for what is no tool, or cannot be named in a rule.
 */
export function toolDefinition(tool: unknown): Definition | undefined {
  if (!isObject(tool) || typeof tool.name !== 'string' || !TOOL_NAME.test(tool.name)) return undefined;
  if (!isObject(tool.inputSchema)) return undefined;
  return defined('tool', tool.name, tool);
}

/** There is always one, so that a server that said nothing the first time has said that. Too long ones count as none. */
export function instructionsDefinition(instructions: string | undefined): Definition | undefined {
  const none = { instructions: '' };
  return (
    defined('instructions', '', { instructions: instructions ?? '' }) ?? defined('instructions', '', none)
  );
}

/** The definition that a canonical text stands for. */
export function parseDefinition(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  // Only what `defined` wrote is read here; an object is all that it takes.
  return isObject(value) ? value : {};
}

function defined(kind: Definition['kind'], name: string, value: JsonObject): Definition | undefined {
  let text: string;
  try {
    text = canonicalJson(value);
  } catch {
    return undefined;
  }
  return text.length > LONGEST ? undefined : { kind, name, text, hash: sha256Hex(text) };
}
