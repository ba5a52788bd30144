import type { Action, Verdict } from '@sallyport/protocol';
import { runsModel } from '../../actions/index.ts';
import type { BodyTee, HeldNote } from '../../audit/index.ts';
import { replaceInPlaces } from '../../credentials/index.ts';
import type { HttpJob } from '../../executors/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { Secret } from '../../shared/secret.ts';
import type { BodyIntake } from './body-intake.ts';
import type { Answered } from './forwarding.ts';
import type { Handed } from './handed.ts';
import type { Incoming } from './incoming.ts';
import type { OutcomeRecorder } from './outcome.ts';
import type { ProxyLimits } from './proxy-limits.ts';
import type { ProxyParts } from './proxy-parts.ts';
import type { QuietHosts } from './quiet-hosts.ts';
import { outgoingRequest, type RequestPlan } from './request-plan.ts';

/** What every request at this door is handled with. */
export interface FlowTools {
  readonly parts: ProxyParts;
  readonly limits: ProxyLimits;
  readonly recorder: OutcomeRecorder;
  readonly quiet: QuietHosts;
  readonly handed: Handed;
}

/** One request between its head and its end. */
export interface Course {
  readonly incoming: Incoming;
  readonly session: SessionFacts;
  /** undefined: it has no body */
  readonly intake: BodyIntake | undefined;
  readonly plan: RequestPlan;
  readonly startedAt: number;
  action: Action;
  /** bytes of a body that is kept on disk */
  spooled?: number;
  /** the verdict's event, while it can still be told how the request ended */
  held?: HeldNote;
  /** the body of the request as it passes by, where the trail keeps it */
  readonly tee?: BodyTee | undefined;
  /** why the body could not be kept */
  failure?: unknown;
}

export type Allow = Verdict & { readonly kind: 'allow' };

/** What the executor is handed. */
export function jobFor(tools: FlowTools, course: Course, verdict: Allow): HttpJob {
  const { parts } = tools;
  const { incoming, session, plan, intake, action } = course;
  const { credential, inject, standIns, places, onlyStandIns } = plan.choice;
  return {
    action,
    verdict,
    request: outgoingRequest(incoming, session, plan, intake, course.spooled),
    credential,
    inject,
    onlyPlaceholders: onlyStandIns,
    replacePlaceholders:
      standIns.length === 0 || places === undefined
        ? undefined
        : (request, loan) => {
            const use = { tenant: session.tenant, session: session.id, host: incoming.host };
            const valueFor = (standIn: string): Secret | undefined => {
              if (!standIns.includes(standIn)) return undefined;
              const isOurs =
                parts.placeholders.resolve(session, standIn) === credential ||
                parts.references.redeem(standIn, use) === credential;
              return isOurs ? loan.placeholderValue?.(request) : undefined;
            };
            // SECURITY: a model repeats what it was told, so no value ever enters a prompt [CR-8].
            replaceInPlaces(request, places, valueFor, !runsModel(action, request.body));
          },
    course,
    session,
    signal: incoming.signal,
    isWatched: true,
    preferH2: incoming.protocol === 'h2',
  };
}

/** The one event of an allowed request. */
export function record(
  tools: FlowTools,
  course: Course,
  answered: Answered,
  verdictAt: number,
  tee?: BodyTee,
): void {
  const { session, action, plan, intake, startedAt } = course;
  const now = performance.now();
  tools.recorder.allowed({
    session,
    action,
    credential: plan.choice.credential,
    status: answered.status,
    requestBytes: intake?.bytes ?? 0,
    responseBytes: answered.bytes,
    sha256: intake?.digest(),
    ms: {
      verdict: rounded(verdictAt - startedAt),
      head: answered.headAt === 0 ? 0 : rounded(answered.headAt - startedAt),
      total: rounded(now - startedAt),
    },
    error: answered.error,
    held: course.held,
    sent: course.tee,
    answered: tee,
  });
}

function rounded(ms: number): number {
  return Math.round(ms * 10) / 10;
}
