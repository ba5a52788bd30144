import type { HookAnswer } from '@sallyport/protocol';
import { canonicalJson, sha256Hex } from '../../shared/canonical-json.ts';

/** for whoever asks what a hook was told, after it was told, in ms */
const KEPT_MS = 60_000;
/** of one jail, and of everybody who is in none: nobody takes the place of others */
const AT_MOST = 200;

/** One call of a client, and the session whose jail it came from; no jail: undefined. */
export interface KnownCall {
  readonly whose: string | undefined;
  readonly key: string;
}

type Answering = Promise<HookAnswer>;

/**
 * What hooks are being told, for the client itself to ask once more: a client that takes a killed hook for one that
 * agrees hears it from here.
 */
export class ToldAnswers {
  // process-local: answers under way on connections of this process
  readonly #answers = new Map<string, { readonly whose: string | undefined; readonly answer: Answering }>();
  // process-local: callers on connections of this process
  readonly #waiting = new Map<
    string,
    { readonly whose: string | undefined; readonly hear: (answer: Answering) => void }
  >();

  /** From now on this is the answer to that call, and will be for a while. */
  keep({ whose, key }: KnownCall, answer: Answering): void {
    const waiting = this.#waiting.get(key);
    if (waiting !== undefined) {
      waiting.hear(answer);
      return;
    }
    const kept = { whose, answer };
    const oldest = oldestTooMany(this.#answers, whose);
    if (oldest !== undefined) this.#answers.delete(oldest);
    this.#answers.set(key, kept);
    const forget = (): void => {
      if (this.#answers.get(key) === kept) this.#answers.delete(key);
    };
    void answer.finally(() => setTimeout(forget, KEPT_MS).unref());
  }

  /** The answer to that call, once; undefined when no hook has asked about it in time, or too many wait. */
  async take(
    { whose, key }: KnownCall,
    withinMs: number,
    gone: AbortSignal,
  ): Promise<HookAnswer | undefined> {
    const known = this.#answers.get(key);
    this.#answers.delete(key);
    if (known !== undefined) return known.answer;
    const isFull = oldestTooMany(this.#waiting, whose) !== undefined;
    if (isFull || this.#waiting.has(key) || gone.aborted) return undefined;
    const { promise, resolve } = Promise.withResolvers<HookAnswer | undefined>();
    // Says nothing any more once a hook has asked: then it is that answer which is waited for.
    const never = (): void => resolve(undefined);
    const timer = setTimeout(never, withinMs);
    gone.addEventListener('abort', never, { once: true });
    this.#waiting.set(key, { whose, hear: resolve });
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', never);
      this.#waiting.delete(key);
    }
  }
}

/** The first of theirs, once there is no room for another. */
function oldestTooMany(
  all: ReadonlyMap<string, { readonly whose: string | undefined }>,
  whose: string | undefined,
): string | undefined {
  const theirs = [...all].filter(([, each]) => each.whose === whose);
  return theirs.length < AT_MOST ? undefined : theirs[0]?.[0];
}

/**
 * A call, by everything that its hook and the client itself say of it alike; undefined when they do not say enough.
 * SECURITY: whoever names all of it is the client of that call, or is told of a call that it knows [ID-1]. And an answer
 * about another folder or another input is none about this call.
 */
export function callOf(whose: string | undefined, event: unknown): KnownCall | undefined {
  if (typeof event !== 'object' || event === null) return undefined;
  // `as`: indexed by names that are looked at below.
  const said = event as Readonly<Record<string, unknown>>;
  // At its own question a client takes a dead hook for no consent, and its answers have another form.
  if (said.hook_event_name !== 'PreToolUse') return undefined;
  const names = NAMES.map((name) => said[name]);
  if (!names.every((value) => typeof value === 'string' && value !== '')) return undefined;
  try {
    const key = sha256Hex(canonicalJson([whose ?? null, ...names, said.tool_input ?? null]));
    return { whose, key };
  } catch {
    return undefined;
  }
}

const NAMES = ['session_id', 'turn_id', 'tool_use_id', 'tool_name', 'cwd'] as const;
