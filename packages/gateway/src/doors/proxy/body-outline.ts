import { promisify } from 'node:util';
import { brotliDecompress, gunzip, zstdDecompress } from 'node:zlib';
import type { SessionFacts } from '../../identity/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { lowerFieldName } from '../../shared/http1/index.ts';
import { type OutlineMembers, readOutline } from '../../shared/json-outline.ts';
import type { BodyIntake } from './body-intake.ts';
import type { Incoming } from './incoming.ts';
import type { ProxyTools } from './proxy-parts.ts';
import { type RequestPlan, requestHead, type SeenBody } from './request-plan.ts';

/** The largest request that a model's provider takes, and what is read of one before it is judged. */
const LARGEST = 32 * 1024 * 1024;

type Decode = (bytes: Buffer) => Promise<Buffer>;

/** A conversation shrinks to a tenth, a log to less; what grows more than this is there to fill the memory. */
const GROWTH = 200;
const bounded = (bytes: Buffer): { readonly maxOutputLength: number } => ({
  maxOutputLength: Math.min(LARGEST, 65_536 + bytes.length * GROWTH),
});
const [unzip, unbrotli, unzstd] = [promisify(gunzip), promisify(brotliDecompress), promisify(zstdDecompress)];
// `deflate` is left out: programs do not agree on what it is.
const DECODERS: ReadonlyMap<string, Decode> = new Map<string, Decode>([
  ['identity', (bytes) => Promise.resolve(bytes)],
  ['gzip', (bytes) => unzip(bytes, bounded(bytes))],
  ['x-gzip', (bytes) => unzip(bytes, bounded(bytes))],
  ['br', (bytes) => unbrotli(bytes, bounded(bytes))],
  ['zstd', (bytes) => unzstd(bytes, bounded(bytes))],
]);

/**
 * What a request to a model says, however long it is: agents send their whole conversation each time, and what makes the
 * provider act may stand at its end. Undefined when nobody needs it, when the classifier sees it by itself, and when it
 * cannot be read: then the request is a write [NE-11].
 */
export function outlineOf(
  tools: ProxyTools,
  incoming: Incoming,
  plan: RequestPlan,
  session: SessionFacts,
  intake: BodyIntake,
  seen: SeenBody,
): Promise<OutlineMembers | undefined> | undefined {
  // Most bodies are short and plain: who wants an outline is not asked then, and nobody waits.
  if (seen.isComplete && !incoming.headers.some(isEncoding)) return undefined;
  const { parts } = tools;
  if (!parts.builderFor(session.tenant).wantsOutline(requestHead(incoming, plan, seen))) return undefined;
  return readWhole(tools, incoming, intake);
}

function isEncoding([name]: Header): boolean {
  return name.length === 16 && lowerFieldName(name) === 'content-encoding';
}

async function readWhole(
  { limits }: ProxyTools,
  incoming: Incoming,
  intake: BodyIntake,
): Promise<OutlineMembers | undefined> {
  const encodings = incoming.headers.filter(isEncoding);
  const decode = DECODERS.get((encodings[0]?.[1] ?? 'identity').trim().toLowerCase());
  if (decode === undefined || encodings.length > 1) return undefined;
  if (!(await intake.readOn(LARGEST, limits.headMs))) return undefined;
  if (encodings.length === 0) return readOutline(intake.whole());
  const decoded = await inTurn(() => decode(intake.whole()));
  return decoded === undefined ? undefined : readOutline(decoded);
}

let last: Promise<unknown> = Promise.resolve();

/** One at a time: what is being decoded takes memory that nobody counts. Undefined: it is not what it says it is. */
function inTurn(decode: () => Promise<Buffer>): Promise<Buffer | undefined> {
  const mine = last.then(decode).catch(() => undefined);
  last = mine;
  return mine;
}
