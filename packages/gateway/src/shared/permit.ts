import { type Action, SallyportError, type Verdict } from '@sallyport/protocol';

/** Verdicts that the gate gave and nobody has used yet, with the binding of what they allow. */
const open = new WeakMap<Verdict, string>();

/** For the gate alone: from now on this very object is good for one execution of this very action. */
export function issuePermit(verdict: Verdict, action: Action): void {
  if (verdict.kind === 'allow') open.set(verdict, action.binding);
}

/**
 * The first thing that every executor does. Throws `NotAdmitted` unless the gate itself gave this verdict, on this
 * action, and it was not used before: a verdict that was made up, copied, or meant for something else runs nothing.
 */
export function redeemPermit(verdict: Verdict, action: Action): void {
  const binding = open.get(verdict);
  open.delete(verdict);
  // SECURITY: the one line that stands between a door and the world [GA-1].
  if (binding === undefined || binding !== action.binding) throw new SallyportError('NotAdmitted');
}
