import type { Action, Verdict } from '@sallyport/protocol';
import type { AuditTrail, HeldNote } from '../../audit/index.ts';
import type { DecideOptions } from './gate-parts.ts';
import { type Judged, judgedEventOf } from './judged-detail.ts';
import { mayLag, unrecorded } from './verdicts.ts';

/** A verdict that is in the trail. */
export interface Decision {
  readonly verdict: Verdict;
  /** its event, which can still be told how the action ended; undefined: that is an event of its own */
  readonly held: HeldNote | undefined;
}

/** Only the beginning of the action was here, and the policy alone does not answer. One of the two goes on, once. */
export interface Unfinished {
  readonly verdict: undefined;
  /** Judges all of it, and asks about that. */
  finish(whole: Action): Promise<Decided>;
  /** The rest cannot be had: a refusal, by the name of a `SallyportError`. */
  giveUp(error: unknown): Promise<Decided>;
}

export type Decided = Decision | Unfinished;

type Telling = Pick<DecideOptions, 'announced' | 'hasEnd' | 'sent'>;

/** For what is not allowed at once: that it came in is recorded before anything else. */
export function announce(trail: AuditTrail, { announced }: Telling): void {
  if (announced === undefined) return;
  try {
    trail.note(announced);
  } catch {
    // What the trail cannot take now, the verdict finds out, and is a refusal.
  }
}

/** Records what may be durable a moment later: an allowed read. */
export function noteVerdict(trail: AuditTrail, judged: Judged, verdict: Verdict, telling: Telling): Decision {
  const isHeld = telling.hasEnd === true && trail.hold !== undefined;
  if (!isHeld) announce(trail, telling);
  return note(trail, judged, verdict, telling, isHeld ? telling.announced : undefined);
}

/** Records a verdict so that it is durable, unless it may lag. What it was announced with is recorded already. */
export async function keepVerdict(
  trail: AuditTrail,
  judged: Judged,
  verdict: Verdict,
  telling: Telling,
): Promise<Decision> {
  if (mayLag(verdict, judged.action)) return note(trail, judged, verdict, telling);
  try {
    const event = judgedEventOf(trail, judged, verdict, telling);
    // What is refused has no outcome to wait for.
    const hasEnd = verdict.kind === 'allow' && telling.hasEnd === true;
    if (hasEnd && trail.keep !== undefined) return { verdict, held: await trail.keep(event) };
    await trail.append(event);
    return { verdict, held: undefined };
  } catch {
    return { verdict: unrecorded(verdict), held: undefined };
  }
}

function note(
  trail: AuditTrail,
  judged: Judged,
  verdict: Verdict,
  telling: Telling,
  also?: Telling['announced'],
): Decision {
  try {
    const event = judgedEventOf(trail, judged, verdict, telling);
    if (telling.hasEnd === true && trail.hold !== undefined) {
      const held = trail.hold(event);
      if (also !== undefined) held.add(also);
      return { verdict, held };
    }
    trail.note(event);
    return { verdict, held: undefined };
  } catch {
    return { verdict: unrecorded(verdict), held: undefined };
  }
}
