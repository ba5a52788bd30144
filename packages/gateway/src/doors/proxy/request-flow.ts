import { type Action, SallyportError, type Verdict } from '@sallyport/protocol';
import type { SessionFacts } from '../../identity/index.ts';
import { BadMessage, lowerFieldName } from '../../shared/http1/index.ts';
import { BodyIntake } from './body-intake.ts';
import { type Allow, type Course, type FlowTools, jobFor, record } from './course.ts';
import { Forwarding } from './forwarding.ts';
import type { Incoming } from './incoming.ts';
import { refusalFrom, refusalOf, refuse, statusOf } from './refusal.ts';
import { buildAction, planRequest } from './request-plan.ts';
import { stripTrailers } from './strip-headers.ts';
import { runUpgrade } from './upgrade-flow.ts';

/** Everything between who and remember: what, may it, lend, forward. Never throws. */
export async function runRequest(tools: FlowTools, incoming: Incoming, session: SessionFacts): Promise<void> {
  const settings = tools.parts.settings(session.tenant);
  const intake = new BodyIntake(incoming, settings.previewBytes, (trailers) =>
    stripTrailers(trailers, settings.stripHeaders),
  );
  try {
    await run(tools, incoming, session, intake);
  } catch (error) {
    blocked(tools, incoming, session, error);
  } finally {
    if (incoming.hasBody) await intake.close().catch(() => {});
  }
}

/** What fails before there is an action is this door's own refusal. */
function blocked(tools: FlowTools, incoming: Incoming, session: SessionFacts, error: unknown): void {
  const refusal = refusalFrom(error);
  // An agent that leaves in the middle of its own request is nobody's fault.
  if (!(error instanceof SallyportError) && !incoming.signal.aborted)
    tools.parts.log.warn({ err: error }, 'a request failed at the proxy');
  tools.recorder.blocked({
    session,
    code: refusal.code,
    reason: reasonOf(error, incoming),
    host: incoming.host,
    method: incoming.method,
  });
  refuse(incoming, refusal);
}

function reasonOf(error: unknown, { signal }: Incoming): string {
  if (error instanceof BadMessage) return error.reason;
  return signal.aborted ? 'agent-left' : refusalFrom(error).message;
}

async function run(
  tools: FlowTools,
  incoming: Incoming,
  session: SessionFacts,
  intake: BodyIntake,
): Promise<void> {
  const { parts, limits } = tools;
  const startedAt = performance.now();
  const settings = parts.settings(session.tenant);
  let plan = planRequest(parts, settings, incoming, session, undefined);
  let prefix: Buffer = NOTHING;
  if (incoming.hasBody) {
    prefix = await intake.preview(isGrpc(incoming) ? GRPC_PAUSE_MS : limits.previewPauseMs);
    // A placeholder in the body names a credential too, as far as the body is here.
    if (intake.isComplete) plan = planRequest(parts, settings, incoming, session, intake.whole());
  }
  const isComplete = intake.isComplete && intake.bytes <= settings.previewBytes;
  const action = buildAction(parts, incoming, session, plan, { prefix, isComplete });
  const course: Course = { incoming, session, intake, plan, startedAt, action };
  if (parts.builderFor(session.tenant).isQuiet(action)) {
    refuseQuietly(tools, course);
    return;
  }
  const isAsync = wantsAsync(incoming);
  const verdict = await parts.gate.admit(action, {
    signal: incoming.signal,
    wait: !isAsync,
    onHeld: (held) => {
      course.held = held;
    },
    ...(isComplete ? {} : { complete: () => complete(tools, course, prefix) }),
  });
  if (verdict.kind === 'deny') {
    deny(course, verdict, isAsync);
    return;
  }
  if (incoming.upgrade === undefined) await forward(tools, course, verdict);
  else await runUpgrade(tools, course, verdict);
}

const NOTHING = Buffer.alloc(0);
/** A call that streams both ways waits for an answer to its first message, and no classifier reads further. */
const GRPC_PAUSE_MS = 5;

function isGrpc({ protocol, headers }: Incoming): boolean {
  return (
    protocol === 'h2' &&
    headers.some(([name, value]) => name === 'content-type' && value.startsWith('application/grpc'))
  );
}

/** The whole body on disk, and the action that names its size and digest: what people are asked about. */
async function complete({ parts }: FlowTools, course: Course, prefix: Buffer): Promise<Action> {
  const { incoming, session, plan, intake } = course;
  try {
    const { bytes, sha256 } = await intake.spool(
      parts.spoolFolder,
      parts.settings(session.tenant).spoolBytes,
    );
    course.spooled = bytes;
    course.action = buildAction(parts, incoming, session, plan, {
      prefix,
      isComplete: bytes === prefix.length,
      bytes,
      sha256,
    });
    return course.action;
  } catch (error) {
    course.failure = error;
    // The trail says only that no decision could be made, and nobody but the operator can make room.
    if (error instanceof SallyportError && error.code === 'Unavailable')
      parts.log.warn({ err: error.cause }, error.message);
    throw error;
  }
}

function deny(course: Course, verdict: Verdict & { readonly kind: 'deny' }, isAsync: boolean): void {
  const { incoming, action, failure } = course;
  if (failure !== undefined) {
    refuse(incoming, refusalFrom(failure, action.id));
  } else if (isAsync && verdict.violation === 'ApprovalPending' && verdict.approval !== undefined) {
    const body = Buffer.from(`${JSON.stringify({ approval_id: verdict.approval, action_id: action.id })}\n`);
    incoming.head(202, [
      ['Content-Type', 'application/json'],
      ['Content-Length', String(body.length)],
      ['Location', `/v1/approvals/${verdict.approval}`],
      ['Preference-Applied', 'respond-async'],
      ['X-Sallyport-Verdict', 'pending'],
    ]);
    if (incoming.method !== 'HEAD') incoming.write(body);
    incoming.end([]);
  } else refuse(incoming, refusalOf(verdict, action.id));
}

const ASYNC = /(?:^|[,\s])respond-async(?:$|[,;\s])/i;

function wantsAsync({ headers }: Incoming): boolean {
  for (const header of headers) {
    if (header[0].length === 6 && lowerFieldName(header[0]) === 'prefer' && ASYNC.test(header[1]))
      return true;
  }
  return false;
}

function refuseQuietly({ recorder, quiet }: FlowTools, { incoming, session }: Course): void {
  const { host, method } = incoming;
  const count = quiet.count(session.id, host);
  if (count !== undefined) {
    const extra = { refused: count };
    recorder.blocked({ session, code: 'DomainNotAllowed', reason: 'telemetry', host, method, extra });
  }
  const message = `\`${host}\` collects telemetry`;
  refuse(incoming, { status: statusOf('DomainNotAllowed'), code: 'DomainNotAllowed', message });
}

async function forward(tools: FlowTools, course: Course, verdict: Allow): Promise<void> {
  const { incoming, intake } = course;
  const verdictAt = performance.now();
  await new Promise<void>((resolve) => {
    const forwarding = new Forwarding(incoming, intake, course.action.id, (answered) => {
      incoming.signal.removeEventListener('abort', left);
      record(tools, course, answered, verdictAt);
      resolve();
    });
    const left = (): void => forwarding.fail(incoming.signal.reason);
    incoming.signal.addEventListener('abort', left, { once: true });
    try {
      const job = jobFor(tools, course, verdict);
      const exchange = tools.parts.executor.send(job, forwarding);
      forwarding.attach(exchange);
      if (job.request.isStreamed) intake.sendTo(exchange).catch((error: unknown) => forwarding.fail(error));
    } catch (error) {
      forwarding.fail(error);
    }
  });
}
