import { createHash } from 'node:crypto';
import { describeOperation, readGraphqlOperation } from './graphql-document.ts';
import { isMembers, type JsonMembers } from './request-body.ts';
import type { RequestView } from './request-view.ts';

/** Names by which a request says which of several things its path shall do, letters alone. */
const CHOOSING: ReadonlySet<string> = new Set(
  'action act op operation operationname method cmd command func function fn verb rpc'.split(' '),
);
/** What a text must hold for any of them to stand in it: most do not, and are not read. */
const HINT =
  /action|\bact\b|\bop\b|operation|method|cmd|command|func|\bfn\b|verb|rpc|query|mutation|requests|extensions|\\u|%/i;
const BATCH_PATH = /\/(?:\$batch|_?batch|batch[A-Z]\w*|_?bulk|_msearch)(?:\/|$)|^\/batch\//;
const BATCH_TYPE = /^(?:multipart\/mixed|application\/(?:x-)?ndjson|application\/http)$/;
const LONGEST = 100;
/** What stands for many requests in one, and for what cannot be read. */
export const SEVERAL = 'several requests in one, or one that cannot be read';

/**
 * What a write chooses beside its method and path, where these say little: a GraphQL operation, a method of an RPC, the
 * action of a form. `SEVERAL`: it is many requests in one, or what it chooses cannot be read. Undefined: nothing.
 *
 * SECURITY: who says yes to one of the things that a path can do has said yes to no other [GA-11].
 */
export function chosenIn(view: RequestView): string | undefined {
  if (BATCH_PATH.test(view.path)) return SEVERAL;
  const type = view.mediaType();
  if (type !== undefined && BATCH_TYPE.test(type)) return SEVERAL;
  const soap = view.headers('soapaction').join(' ');
  const words = [
    ...(soap === '' ? [] : [`SOAPAction=${soap}`]),
    ...(HINT.test(view.target.query) ? wordsOf(new URLSearchParams(view.target.query)) : []),
  ];
  const inBody = chosenInBody(view, type);
  if (inBody === SEVERAL) return SEVERAL;
  const all = [...words.sort(), ...(inBody === undefined ? [] : [inBody])];
  return all.length === 0 ? undefined : all.join(' ');
}

function chosenInBody(view: RequestView, type: string | undefined): string | undefined {
  if (!view.isJson && type !== 'application/x-www-form-urlencoded') return undefined;
  const text = view.wholeText();
  // What chooses may stand where nobody looked.
  if (text === undefined) return SEVERAL;
  if (!HINT.test(text)) return undefined;
  if (!view.isJson) return wordsOf(new URLSearchParams(text)).sort().join(' ') || undefined;
  const members = view.wholeJson();
  // A list, or a text that two programs may read differently.
  if (members === undefined) return SEVERAL;
  return chosenInJson(view, members);
}

function chosenInJson(view: RequestView, members: JsonMembers): string | undefined {
  if (Array.isArray(members.requests) || Array.isArray(members.operations)) return SEVERAL;
  if (
    typeof members.query === 'string' &&
    (/\{/.test(members.query) || members.operationName !== undefined)
  ) {
    const operation = readGraphqlOperation(view);
    return operation === undefined ? SEVERAL : describeOperation(operation);
  }
  if (isMembers(members.extensions) || typeof members.mutation === 'string') return SEVERAL;
  return wordsOf(Object.entries(members)).sort().join(' ') || undefined;
}

function wordsOf(fields: Iterable<readonly [string, unknown]>): string[] {
  const words: string[] = [];
  for (const [name, value] of fields) {
    if (typeof value !== 'string' && typeof value !== 'number') continue;
    if (CHOOSING.has(name.replace(/[^A-Za-z]/g, '').toLowerCase()))
      words.push(`${name}=${shortened(String(value))}`);
  }
  return words;
}

/** A long value by its digest: two that only begin alike are two. */
function shortened(value: string): string {
  if (value.length <= LONGEST) return value;
  return createHash('sha256').update(value).digest('hex').slice(0, 32);
}
