import { type Action, SallyportError, type Verdict } from '@sallyport/protocol';
import { runsModel } from '../../actions/index.ts';
import { BodyTee } from '../../audit/index.ts';
import { mayHoldStandIn } from '../../credentials/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { Header } from '../../shared/http-message.ts';
import { BadMessage, lowerFieldName } from '../../shared/http1/index.ts';
import { BodyIntake } from './body-intake.ts';
import { outlineOf } from './body-outline.ts';
import { type Allow, type Course, type FlowTools, jobFor, record } from './course.ts';
import { Forwarding } from './forwarding.ts';
import { createHandedReader } from './handed-reader.ts';
import type { Incoming } from './incoming.ts';
import { refusalFrom, refusalOf, refuse, statusOf } from './refusal.ts';
import { buildAction, planRequest, type SeenBody } from './request-plan.ts';
import { stripTrailers } from './strip-headers.ts';
import { runUpgrade } from './upgrade-flow.ts';

/** Everything between who and remember: what, may it, lend, forward. `onDone` is called when it is over. */
export function runRequest(
  tools: FlowTools,
  incoming: Incoming,
  session: SessionFacts,
  onDone: () => void,
): void {
  if (incoming.hasBody) {
    runWithBody(tools, incoming, session, onDone);
    return;
  }
  try {
    const { parts } = tools;
    const startedAt = performance.now();
    const plan = planRequest(tools, parts.settings(session.tenant), incoming, session, undefined);
    const action = buildAction(tools, incoming, session, plan, NO_BODY);
    judge(tools, { incoming, session, intake: undefined, plan, startedAt, action }, undefined, onDone);
  } catch (error) {
    blocked(tools, incoming, session, error);
    onDone();
  }
}

function runWithBody(tools: FlowTools, incoming: Incoming, session: SessionFacts, onDone: () => void): void {
  const settings = tools.parts.settings(session.tenant);
  const tee = teeFor(tools);
  tee?.describe(incoming.headers);
  const mayFollow = (trailers: readonly Header[]) => stripTrailers(trailers, settings.stripHeaders);
  const intake = new BodyIntake(incoming, settings.previewBytes, mayFollow, tee);
  const close = (): void => {
    intake.close().then(onDone, onDone);
  };
  run(tools, incoming, session, intake, tee, close).catch((error: unknown) => {
    blocked(tools, incoming, session, error);
    close();
  });
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
  tee: BodyTee | undefined,
  onDone: () => void,
): Promise<void> {
  const { parts, limits } = tools;
  const startedAt = performance.now();
  const settings = parts.settings(session.tenant);
  const headPlan = planRequest(tools, settings, incoming, session, undefined);
  const prefix = await intake.preview(isGrpc(incoming) ? GRPC_PAUSE_MS : limits.previewPauseMs);
  const isComplete = intake.isComplete && intake.bytes <= settings.previewBytes;
  const seen: SeenBody = { prefix, isComplete };
  const reading = outlineOf(tools, incoming, headPlan, session, intake, seen);
  const outline = reading && (await reading);
  const body: SeenBody = outline === undefined ? seen : { ...seen, outline };
  let plan = headPlan;
  let action = buildAction(tools, incoming, session, plan, body);
  // A placeholder in the body may name a credential too, as far as the body is here; what it does is known by now.
  if (intake.isComplete && !intake.wasReadOn && mayHoldStandIn(intake.whole())) {
    const whole = intake.whole();
    plan = planRequest(tools, settings, incoming, session, whole, runsModel(action, whole));
    action = buildAction(tools, incoming, session, plan, body);
  }
  const course: Course = { incoming, session, intake, plan, startedAt, action, tee };
  judge(tools, course, isComplete ? undefined : () => complete(tools, course, intake, body), onDone);
}

/** Asks the gate and does what it says. `complete`: gets the rest of the body, when it is not all here. */
function judge(
  tools: FlowTools,
  course: Course,
  complete: (() => Promise<Action>) | undefined,
  onDone: () => void,
): void {
  const { parts } = tools;
  const { incoming, session, action } = course;
  if (parts.builderFor(session.tenant).isQuiet(action)) {
    refuseQuietly(tools, course);
    onDone();
    return;
  }
  const isAsync = wantsAsync(incoming);
  const verdict = parts.gate.decide(action, {
    signal: incoming.signal,
    wait: !isAsync,
    onHeld: (held) => {
      course.held = held;
    },
    ...(complete === undefined ? {} : { complete }),
    ...(course.tee === undefined ? {} : { body: () => course.tee?.body() }),
  });
  if (!(verdict instanceof Promise)) {
    obey(tools, course, verdict, isAsync, onDone);
    return;
  }
  verdict
    .then((given) => obey(tools, course, given, isAsync, onDone))
    .catch((error: unknown) => {
      blocked(tools, incoming, session, error);
      onDone();
    });
}

function obey(
  tools: FlowTools,
  course: Course,
  verdict: Verdict,
  isAsync: boolean,
  onDone: () => void,
): void {
  if (verdict.kind === 'deny') {
    deny(course, verdict, isAsync);
    onDone();
  } else if (course.incoming.upgrade === undefined) forward(tools, course, verdict, onDone);
  else runUpgrade(tools, course, verdict).then(onDone, onDone);
}

const NO_BODY = { prefix: Buffer.alloc(0), isComplete: true };
/** A call that streams both ways waits for an answer to its first message, and no classifier reads further. */
const GRPC_PAUSE_MS = 5;

function isGrpc({ protocol, headers }: Incoming): boolean {
  return (
    protocol === 'h2' &&
    headers.some(([name, value]) => name === 'content-type' && value.startsWith('application/grpc'))
  );
}

/** The whole body on disk, and the action that names its size and digest: what people are asked about. */
async function complete(
  tools: FlowTools,
  course: Course,
  intake: BodyIntake,
  seen: SeenBody,
): Promise<Action> {
  const { parts, limits } = tools;
  const { incoming, session, plan } = course;
  try {
    const { bytes, sha256 } = await intake.spool(
      parts.spoolFolder,
      parts.settings(session.tenant).spoolBytes,
      isGrpc(incoming) ? limits.headMs : limits.idleMs,
    );
    course.spooled = bytes;
    course.action = buildAction(tools, incoming, session, plan, {
      ...seen,
      isComplete: bytes === seen.prefix.length,
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

function forward(tools: FlowTools, course: Course, verdict: Allow, onDone: () => void): void {
  const { incoming, intake, session } = course;
  const verdictAt = performance.now();
  const tee = teeFor(tools);
  const forwarding = new Forwarding(incoming, intake, course.action.id, {
    tee,
    onAnswer: (headers) => {
      tools.handed.onHead(session.id, incoming, incoming.target, headers);
      return createHandedReader(headers, (text) => tools.handed.onText(session.id, text));
    },
    onDone: (answered) => {
      record(tools, course, answered, verdictAt, tee);
      onDone();
    },
  });
  try {
    const job = jobFor(tools, course, verdict);
    const exchange = tools.parts.executor.send(job, forwarding);
    forwarding.attach(exchange);
    if (job.request.isStreamed) intake?.sendTo(exchange).catch((error: unknown) => forwarding.fail(error));
  } catch (error) {
    forwarding.fail(error);
  }
}

/** Nothing looks on unless the trail keeps bodies. */
function teeFor({ parts }: FlowTools): BodyTee | undefined {
  return parts.trail.level === 'full' ? new BodyTee() : undefined;
}
