import { isOutlineMembers, type Outline } from '../../../shared/json-outline.ts';
import { type Check, each } from './check.ts';

/** What names something to fetch, wherever it stands in what is repeated. */
const FETCHED: ReadonlySet<string> = new Set(
  'image_url video_url audio_url file_url file_uri fileUri server_url s3Location fileData file_data'.split(
    ' ',
  ),
);
const DATA = /^data:/i;
const ELSEWHERE = /^\s*[a-z][a-z0-9+.-]{1,20}:(?!\/{0,2}$)/i;

/**
 * What was said before, or what a tool of the provider once answered, told again: of any shape, but nothing in it is an
 * address in a place where content stands.
 */
export const repeated: Check = (value) => {
  if (typeof value !== 'object' || value === null) return undefined;
  if (Array.isArray(value)) return each(repeated)(value);
  if (!isOutlineMembers(value)) return undefined;
  for (const key in value) {
    const held = value[key] ?? null;
    const problem = FETCHED.has(key) || key === 'source' ? fetchedAt(key, held) : undefined;
    if (problem !== undefined) return problem;
    const inner = repeated(held);
    if (inner !== undefined) return inner;
  }
  return undefined;
};

function fetchedAt(key: string, held: Outline): string | undefined {
  const fetches = 'an address that the provider fetches';
  if (key === 'source') {
    const type = isOutlineMembers(held) ? held.type : undefined;
    return type === 'url' || type === 'file' ? fetches : undefined;
  }
  const address = isOutlineMembers(held) ? (held.url ?? held.uri ?? held.fileUri ?? held.file_uri) : held;
  return typeof address === 'string' && ELSEWHERE.test(address) && !DATA.test(address) ? fetches : undefined;
}
