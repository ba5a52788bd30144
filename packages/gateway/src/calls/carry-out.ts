import type { Action, NewEvent, Verdict } from '@sallyport/protocol';
import type { AuditTrail, HeldNote } from '../audit/index.ts';
import type { AdmitOptions, Decided, Gate } from '../gate/index.ts';

export type AllowVerdict = Verdict & { readonly kind: 'allow' };
export type DenyVerdict = Verdict & { readonly kind: 'deny' };

/** What calls are carried out with. */
export interface CarryOutParts {
  readonly gate: Pick<Gate, 'decide'>;
  readonly trail: Pick<AuditTrail, 'note' | 'hold'>;
  /** told of an end that could not be recorded */
  readonly onProblem: (error: unknown, what: string) => void;
}

/**
 * One thing that an agent wants done, as a door hands it over: what it is, what carries it out, and how the door answers.
 * `Answer` is whatever the door needs in the end; nothing, where it answers while the action is carried out.
 */
export interface Call<Answer>
  extends Pick<AdmitOptions, 'rebuild' | 'again' | 'leadsTo' | 'sent' | 'wait' | 'onAsked'> {
  /** aborts when the caller leaves, or its session ends */
  readonly signal: AbortSignal;
  /** whether `execute` tells the permit how it ended */
  readonly hasEnd: boolean;
  /** What came in. Throws what refuses it before there is an action; the door answers that by itself. */
  build(): Action;
  /** What the trail says of it before the verdict. */
  readonly announce?: (action: Action) => NewEvent;
  /** Where only the beginning is here (of a body): all of it, once somebody must be asked. Absent: it is all here. */
  readonly whole?: (() => Promise<Action>) | undefined;
  /** Nothing ran. `cause`: why the whole could not be had. */
  refused(verdict: DenyVerdict, action: Action, cause?: unknown): Answer;
  /** Has it carried out by an executor, which takes the permit. */
  execute(permit: Permit): Answer | Promise<Answer>;
}

/** The gate's yes to one action: for one executor, once. What happens then is told here, for the trail. */
export class Permit {
  /** what may run: a person may have changed it */
  readonly action: Action;
  readonly verdict: AllowVerdict;
  readonly #parts: CarryOutParts;
  #held: HeldNote | undefined;

  constructor(parts: CarryOutParts, action: Action, verdict: AllowVerdict, held: HeldNote | undefined) {
    this.#parts = parts;
    this.action = action;
    this.verdict = verdict;
    this.#held = held;
  }

  /** Something that happened on the way: one event with the end, if that comes soon. Throws `AuditUnavailable`. */
  add(event: NewEvent): void {
    const { trail } = this.#parts;
    if (this.#held !== undefined) this.#held.add(event);
    else if (trail.hold === undefined) trail.note(event);
    else this.#held = trail.hold(event, { mayYield: true });
  }

  /** How it ended; once. Beside the verdict, if that is not on its way to disk already. */
  end(event: NewEvent): void {
    try {
      if (this.#held === undefined) this.#parts.trail.note(event);
      else this.#held.settle(event);
    } catch (error) {
      // The verdict is in the trail already; what the trail cannot take now, the gate refuses from now on.
      this.#parts.onProblem(error, 'how an action ended could not be recorded');
    }
  }
}

/**
 * The one way of every action, whatever its door: build, admit, permit, execute, record, answer. At once where the gate
 * answers at once and the executor does not keep anybody waiting.
 *
 * Contract: nothing is executed without the gate's permit, and it throws or rejects only with what `build`, `refused` and
 * `execute` do.
 */
export function carryOut<Answer>(parts: CarryOutParts, call: Call<Answer>): Answer | Promise<Answer> {
  const action = call.build();
  const { signal, rebuild, again, leadsTo, sent, wait, onAsked, hasEnd, whole } = call;
  const announced = call.announce?.(action);
  const isPart = whole !== undefined;
  const options = { signal, rebuild, again, leadsTo, sent, wait, onAsked, hasEnd, announced, isPart };
  const decided = parts.gate.decide(action, options);
  return decided instanceof Promise
    ? decided.then((known) => follow(parts, call, action, known))
    : follow(parts, call, action, decided);
}

/** Does what the gate says. */
function follow<Answer>(
  parts: CarryOutParts,
  call: Call<Answer>,
  action: Action,
  decided: Decided,
): Answer | Promise<Answer> {
  const { verdict } = decided;
  if (verdict === undefined) return complete(parts, call, action, decided);
  if (verdict.kind === 'deny') return call.refused(verdict, action);
  return call.execute(new Permit(parts, verdict.action ?? action, verdict, decided.held));
}

/** Gets the rest of what was judged by its beginning, and has all of it judged. */
async function complete<Answer>(
  parts: CarryOutParts,
  call: Call<Answer>,
  action: Action,
  unfinished: Extract<Decided, { readonly verdict: undefined }>,
): Promise<Answer> {
  let whole: Action;
  try {
    if (call.whole === undefined) throw new Error('it was all here');
    whole = await call.whole();
  } catch (cause) {
    const { verdict } = await unfinished.giveUp(cause);
    if (verdict?.kind !== 'deny') throw cause;
    return call.refused(verdict, action, cause);
  }
  return follow(parts, call, whole, await unfinished.finish(whole));
}
