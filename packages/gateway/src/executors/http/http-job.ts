import { type Action, SallyportError, type Verdict } from '@sallyport/protocol';
import type { HeldNote } from '../../audit/index.ts';
import type { Injection, Loan } from '../../credentials/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { OutgoingRequest } from '../../shared/http-message.ts';
import { redeemPermit } from '../../shared/permit.ts';
import { requestOf } from '../../targets/index.ts';

/** One request that the gate allowed. */
export interface HttpJob {
  readonly action: Action;
  readonly verdict: Verdict & { readonly kind: 'allow' };
  readonly request: OutgoingRequest;
  /** NAME of the credential to lend; the one that the action names */
  readonly credential?: string | undefined;
  readonly inject?: Injection | undefined;
  /** Changes placeholders of the credential in the request, in place. Absent when it holds none. */
  readonly replacePlaceholders?: ((request: OutgoingRequest, loan: Loan) => void) | undefined;
  /** the credential was named by its placeholder alone: it goes where that stands, and nowhere else */
  readonly onlyPlaceholders?: boolean | undefined;
  /** what happened on the way is told here: part of the event of this request, if that can still be added to */
  readonly record: Pick<HeldNote, 'add'>;
  readonly session: SessionFacts;
  readonly signal: AbortSignal;
  /** whoever sends it aborts the exchange when the signal does: nothing else listens to it once it is under way */
  readonly isWatched?: boolean;
  /** the agent speaks HTTP/2, so an answer with trailers or a stream both ways is of use */
  readonly preferH2: boolean;
}

/**
 * Takes the permit, and makes sure that what is about to be sent is what was judged: same place, same method, same
 * credential. Throws `NotAdmitted` otherwise.
 */
export function takePermit(job: HttpJob): void {
  const { action, verdict, request } = job;
  redeemPermit(verdict, action);
  const { input, target } = action;
  const judged = requestOf(target);
  // SECURITY: a verdict about one request must not carry out another [AP-1].
  const isSame =
    judged !== undefined &&
    judged.host === request.host &&
    judged.port === request.port &&
    judged.method === request.method &&
    judged.credential === job.credential &&
    action.actor.tenant === request.tenant &&
    action.actor.session === job.session.id &&
    (judged.scheme === 'tunnel' || (typeof input.url === 'string' && input.url.endsWith(request.target)));
  if (!isSame) throw new SallyportError('NotAdmitted');
}
