import { type Action, SallyportError } from '@sallyport/protocol';
import { runsModel } from '../../actions/index.ts';
import { BodyTee } from '../../audit/index.ts';
import type { Call, DenyVerdict, Permit } from '../../calls/index.ts';
import { mayMention, replaceInPlaces } from '../../credentials/index.ts';
import type { HttpJob } from '../../executors/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import type { Header } from '../../shared/http-message.ts';
import type { Secret } from '../../shared/secret.ts';
import { BodyIntake } from './body-intake.ts';
import { outlineOf } from './body-outline.ts';
import { type Answered, type AnswerWatcher, Forwarding } from './forwarding.ts';
import { createHandedReader, type HandedReader } from './handed-reader.ts';
import { type Incoming, isGrpc, wantsAsync } from './incoming.ts';
import type { ProxyTools } from './proxy-parts.ts';
import type { ProxySettings } from './proxy-settings.ts';
import { Telemetry } from './quiet-hosts.ts';
import { answerPending, refusalFrom, refusalOf, refuse } from './refusal.ts';
import { allowedEvent } from './request-events.ts';
import {
  buildRequest,
  outgoingRequest,
  planRequest,
  type RequestPlan,
  type SeenBody,
} from './request-plan.ts';
import { stripTrailers } from './strip-headers.ts';
import { answerUpgrade } from './upgrade.ts';

const NO_BODY: SeenBody = { prefix: Buffer.alloc(0), isComplete: true };
/** A call that streams both ways waits for an answer to its first message, and no classifier reads further. */
const GRPC_PAUSE_MS = 5;

/** One request of an agent between its head and its end. */
export class ProxyRequest implements Call<void>, AnswerWatcher {
  readonly incoming: Incoming;
  readonly session: SessionFacts;
  readonly hasEnd = true;
  readonly wait: boolean;
  /** the body as it comes in, where the trail keeps it */
  readonly sent: BodyTee | undefined;
  /** likewise the body of the answer */
  tee: BodyTee | undefined;
  /** the rest of a body that is not all here */
  whole: (() => Promise<Action>) | undefined;
  readonly #tools: ProxyTools;
  readonly #settings: ProxySettings;
  readonly #onOver: () => void;
  readonly #startedAt = performance.now();
  /** undefined: it has no body */
  readonly #intake: BodyIntake | undefined;
  #plan: RequestPlan;
  #seen = NO_BODY;
  #permit: Permit | undefined;
  #verdictAt = 0;

  /** `onOver` is called when nothing is left to do. Throws what refuses the request by its head alone. */
  constructor(tools: ProxyTools, incoming: Incoming, session: SessionFacts, onOver: () => void) {
    this.#tools = tools;
    this.incoming = incoming;
    this.session = session;
    this.#onOver = onOver;
    this.wait = !wantsAsync(incoming);
    const settings = tools.parts.settings(session.tenant);
    this.#settings = settings;
    this.#plan = planRequest(tools, settings, incoming, session, undefined);
    if (!incoming.hasBody) return;
    this.sent = this.#newTee();
    this.sent?.describe(incoming.headers);
    const mayFollow = (trailers: readonly Header[]) => stripTrailers(trailers, settings.stripHeaders);
    this.#intake = new BodyIntake(incoming, settings.previewBytes, mayFollow, this.sent);
  }

  get signal(): AbortSignal {
    return this.incoming.signal;
  }

  /** Reads as much of the body as is judged. */
  async read(): Promise<void> {
    const intake = this.#intake;
    if (intake === undefined) return;
    const { incoming, session } = this;
    const { previewPauseMs } = this.#tools.limits;
    const prefix = await intake.preview(isGrpc(incoming) ? GRPC_PAUSE_MS : previewPauseMs);
    const isComplete = intake.isComplete && intake.bytes <= this.#settings.previewBytes;
    const seen: SeenBody = { prefix, isComplete };
    const reading = outlineOf(this.#tools, incoming, this.#plan, session, intake, seen);
    const outline = reading && (await reading);
    this.#seen = outline === undefined ? seen : { ...seen, outline };
    if (!isComplete) this.whole = () => this.#complete(intake);
  }

  build(): Action {
    const { incoming, session } = this;
    const tools = this.#tools;
    let built = buildRequest(tools, incoming, session, this.#plan, this.#seen);
    const whole = this.#intake?.wholeHere();
    // A placeholder in the body may name a credential too, as far as the body is here; what it does is known by now.
    if (whole !== undefined && mayMention(whole)) {
      const isPrompt = runsModel(built.action, whole);
      this.#plan = planRequest(tools, this.#settings, incoming, session, whole, isPrompt);
      built = buildRequest(tools, incoming, session, this.#plan, this.#seen);
    }
    if (built.isQuiet) throw new Telemetry(incoming.host);
    return built.action;
  }

  /** The whole body on disk, and the action that names its size and digest: what people are asked about. */
  async #complete(intake: BodyIntake): Promise<Action> {
    const { incoming, session } = this;
    const { parts, limits } = this.#tools;
    const silentMs = isGrpc(incoming) ? limits.headMs : limits.idleMs;
    const { bytes, sha256 } = await intake.spool(parts.spools, this.#settings.spoolBytes, silentMs);
    const isComplete = bytes === this.#seen.prefix.length;
    const body = { ...this.#seen, isComplete, bytes, sha256 };
    return buildRequest(this.#tools, incoming, session, this.#plan, body).action;
  }

  refused(verdict: DenyVerdict, action: Action, cause?: unknown): void {
    const { incoming } = this;
    if (cause !== undefined) {
      // The trail says only that no decision could be made, and nobody but the operator can make room.
      if (cause instanceof SallyportError && cause.code === 'Unavailable')
        this.#tools.parts.log.warn({ err: cause.cause }, cause.message);
      refuse(incoming, refusalFrom(cause, action.id));
    } else if (!this.wait && verdict.violation === 'ApprovalPending' && verdict.approval !== undefined) {
      answerPending(incoming, verdict.approval, action.id);
    } else refuse(incoming, refusalOf(verdict, action.id));
    this.over();
  }

  execute(permit: Permit): void | Promise<void> {
    this.#permit = permit;
    this.#verdictAt = performance.now();
    const { incoming } = this;
    const { executor } = this.#tools.parts;
    if (incoming.upgrade !== undefined) {
      const upgrading = executor.upgrade(this.#job(permit), incoming.upgrade);
      return answerUpgrade(incoming, upgrading, permit.action.id).then((answered) => this.onDone(answered));
    }
    this.tee = this.#newTee();
    const intake = this.#intake;
    const forwarding = new Forwarding(incoming, intake, permit.action.id, this);
    try {
      const job = this.#job(permit);
      const exchange = executor.send(job, forwarding);
      forwarding.attach(exchange);
      if (job.request.isStreamed) intake?.sendTo(exchange).catch((error: unknown) => forwarding.fail(error));
    } catch (error) {
      forwarding.fail(error);
    }
  }

  onAnswer(headers: readonly Header[]): HandedReader | undefined {
    const { incoming, session } = this;
    const { handed } = this.#tools;
    handed.onHead(session.id, incoming, incoming.target, headers);
    return createHandedReader(headers, (text) => handed.onText(session.id, text));
  }

  onDone({ status, bytes, headAt, error }: Answered): void {
    const permit = this.#permit;
    const intake = this.#intake;
    if (permit !== undefined) {
      const end = {
        session: this.session,
        action: permit.action,
        credential: this.#plan.choice.credential,
        status,
        requestBytes: intake?.bytes ?? 0,
        responseBytes: bytes,
        sha256: intake?.digest(),
        startedAt: this.#startedAt,
        verdictAt: this.#verdictAt,
        headAt,
        error,
        sent: this.sent,
        answered: this.tee,
      };
      permit.end(allowedEvent(end, this.#tools.parts.trail.level));
    }
    this.over();
  }

  /** Frees what it holds. */
  over(): void {
    const intake = this.#intake;
    if (intake === undefined) this.#onOver();
    else intake.close().then(this.#onOver, this.#onOver);
  }

  /** What the executor is handed. */
  #job(permit: Permit): HttpJob {
    const { parts } = this.#tools;
    const { incoming, session } = this;
    const { action, verdict } = permit;
    const { credential, inject, mentions, places, onlyMentions } = this.#plan.choice;
    return {
      action,
      verdict,
      record: permit,
      request: outgoingRequest(incoming, session, this.#plan, this.#intake),
      credential,
      inject,
      onlyPlaceholders: onlyMentions,
      replacePlaceholders:
        mentions.length === 0 || places === undefined
          ? undefined
          : (request, loan) => {
              const use = { tenant: session.tenant, session: session.id, host: incoming.host };
              const valueFor = (mention: string): Secret | undefined => {
                if (!mentions.includes(mention)) return undefined;
                const isOurs =
                  parts.placeholders.resolve(session, mention) === credential ||
                  parts.references.redeem(mention, use) === credential;
                return isOurs ? loan.placeholderValue?.(request) : undefined;
              };
              // SECURITY: a model repeats what it was told, so no value ever enters a prompt [CR-8].
              replaceInPlaces(request, places, valueFor, !runsModel(action, request.body));
            },
      session,
      signal: incoming.signal,
      isWatched: true,
      preferH2: incoming.protocol === 'h2',
    };
  }

  /** Nothing looks on unless the trail keeps bodies. */
  #newTee(): BodyTee | undefined {
    return this.#tools.parts.trail.level === 'full' ? new BodyTee() : undefined;
  }
}
