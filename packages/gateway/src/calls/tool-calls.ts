import {
  type Action,
  type Actor,
  type ErrorCode,
  type Json,
  type JsonObject,
  type NewEvent,
  SallyportError,
  type Verdict,
} from '@sallyport/protocol';
import type { ActionBuilder, ActionContext } from '../actions/index.ts';
import type { AuditTrail, HeldNote } from '../audit/index.ts';
import type { McpToolJob, ToolListing, ToolPath, ToolResult } from '../executors/index.ts';
import { type CompiledPolicy, callLimits, type Gate, isVisible } from '../gate/index.ts';
import { redeemPermit } from '../shared/permit.ts';
import { refusalFrom, refusalOf, serverAnswer } from './call-refusal.ts';
import { outcomeEvent, requestedEvent } from './invocation-events.ts';
import { overriddenInput } from './overridden-input.ts';
import { refuseLargeResult } from './result-size.ts';
import { runWithin } from './run-within.ts';
import { readAction } from './server-read.ts';
import type { ReadOutcome, ServerReadRequest, ToolCallRequest, ToolOutcome } from './tool-call.ts';

const RESULT_AT_MOST = 8 * 1024 * 1024;

/** Whatever finds the path of a tool and carries calls out on it. */
export type ToolRoutes = Pick<ToolPath, 'tools' | 'knows' | 'run'>;

export interface ToolCallsParts {
  readonly gate: Pick<Gate, 'decide'>;
  readonly policyOf: (tenant: string) => CompiledPolicy | undefined;
  /** whether the roles behind the actor reach any use of a tool; absent where there are no roles */
  readonly rolesReach?: (actor: Actor, tool: string) => boolean;
  /** of the tenant's policy of this moment; the shell parser is loaded with the first one */
  readonly builderFor: (tenant: string) => ActionBuilder | Promise<ActionBuilder>;
  readonly routes: ToolRoutes;
  /** where an agent stands in its own world, and how links in it are looked at: what an input names is judged there */
  readonly worldOf: (tool: string, tenant: string) => Pick<ActionContext, 'cwd' | 'links'>;
  /** whether the operator says of a tool of a server that it only reads */
  readonly onlyReads?: (tool: string) => boolean;
  /** told of every no, for paths that record what they would have refused themselves */
  readonly onRefused?: (action: Action, violation: ErrorCode) => void;
  readonly trail: AuditTrail;
  /** told of what could not be recorded, or broke where nothing should */
  readonly onProblem: (error: unknown, what: string) => void;
  /** characters that a result may have; 8 Mi when absent */
  readonly resultAtMost?: number;
}

/** One call on its way: how its action is made of an input, and what carries it out. */
interface Course {
  readonly signal: AbortSignal;
  readonly wait: boolean;
  readonly onAsked: ((approval: string) => void) | undefined;
  build(input: JsonObject): Action;
  run(action: Action, verdict: Verdict, signal: AbortSignal): Promise<ToolResult>;
}

/**
 * The one way from a tool call to its result: build the action, have it admitted, carry it out, record how it ended.
 *
 * Contract: it never rejects for what an agent sent or a tool did; nothing runs without the gate's permit.
 */
export class ToolCalls {
  readonly #parts: ToolCallsParts;

  constructor(parts: ToolCallsParts) {
    this.#parts = parts;
  }

  /** Tools that this actor may see now: what the gate's visibility layer would let it call [TO-1]. */
  visible(actor: Actor): readonly ToolListing[] {
    const policy = this.#parts.policyOf(actor.tenant);
    if (policy === undefined) return [];
    return this.#parts.routes.tools(actor).filter(({ tool }) => this.#shows(policy, actor, tool));
  }

  /** Whether the actor may see a tool of that name, whether or not anybody has one. */
  maySee(actor: Actor, tool: string): boolean {
    const policy = this.#parts.policyOf(actor.tenant);
    return policy !== undefined && this.#shows(policy, actor, tool);
  }

  #shows(policy: CompiledPolicy, actor: Actor, tool: string): boolean {
    return isVisible(policy, actor, tool) && this.#parts.rolesReach?.(actor, tool) !== false;
  }

  async call(request: ToolCallRequest): Promise<ToolOutcome> {
    const { routes, builderFor } = this.#parts;
    const found = builderFor(request.actor.tenant);
    const builder = found instanceof Promise ? await found : found;
    const { tool, signal, onProgress, onAsked, wait = true, extras } = request;
    const { door, actor, cwd } = request;
    const world = this.#parts.worldOf(tool, actor.tenant);
    const context: ActionContext = {
      ...{ door, actor, home: '/' },
      ...world,
      ...(cwd === undefined ? {} : { cwd }),
    };
    return this.#follow(request.input, {
      ...{ signal, wait, onAsked },
      build: (input) =>
        builder.tool({ tool, input, onlyReads: this.#parts.onlyReads?.(tool) === true }, context),
      run: (action, verdict, within) => {
        const job: McpToolJob = {
          ...{ action, verdict, signal: within },
          ...(onProgress === undefined ? {} : { onProgress }),
          ...extras,
        };
        return routes.run(job);
      },
    });
  }

  /** Reads a resource or gets a prompt of a server, as an action of its own. */
  async read(request: ServerReadRequest): Promise<ReadOutcome> {
    const { signal, onAsked, wait = true } = request;
    let answer: JsonObject | undefined;
    const outcome = await this.#follow(request.input, {
      ...{ signal, wait, onAsked },
      build: (input) => readAction(request, input),
      run: async (action, verdict) => {
        redeemPermit(verdict, action);
        answer = await request.run(action.input);
        return { content: [answer], isError: false };
      },
    });
    if (outcome.kind !== 'done') return outcome;
    if (answer === undefined) throw new SallyportError('Internal');
    return { kind: 'done', result: answer };
  }

  async #follow(input: JsonObject, course: Course): Promise<ToolOutcome> {
    const startedAt = performance.now();
    const action = course.build(input);
    let requested: NewEvent | undefined = requestedEvent(action);
    let held: HeldNote | undefined;
    const decided = this.#parts.gate.decide(action, {
      signal: course.signal,
      wait: course.wait,
      rebuild: (_asked, text) => course.build(overriddenInput(text)),
      // Asked about or refused, it is told of before; allowed at once, it is part of the one event of the call.
      onSlow: () => {
        if (requested !== undefined) this.#note(requested);
        requested = undefined;
      },
      onHeld: (note) => {
        held = note;
        if (requested !== undefined) note.add(requested);
      },
      ...(course.onAsked === undefined ? {} : { onAsked: course.onAsked }),
    });
    const verdict = decided instanceof Promise ? await decided : decided;
    if (verdict.kind === 'deny') {
      this.#parts.onRefused?.(action, verdict.violation);
      return { kind: 'refused', action, refusal: refusalOf(verdict, action) };
    }
    const admitted = verdict.action ?? action;
    const { resultAtMost = RESULT_AT_MOST } = this.#parts;
    let result: ToolResult;
    try {
      const policy = this.#parts.policyOf(admitted.actor.tenant);
      const limits = policy === undefined ? undefined : callLimits(policy, admitted);
      result = await runWithin(limits?.timeoutMs, course.signal, (signal) =>
        course.run(admitted, verdict, signal),
      );
      refuseLargeResult(result, resultAtMost, limits?.maxOutputBytes);
    } catch (error) {
      return this.#failed(error, admitted, { course, startedAt, held });
    }
    const { level } = this.#parts.trail;
    const answer = level === 'full' ? answerOf(result) : undefined;
    const exitCode = exitCodeOf(result);
    this.#note(outcomeEvent(admitted, { isError: result.isError, startedAt, answer, exitCode }, level), held);
    const { note } = verdict;
    return { kind: 'done', action: admitted, result, ...(note === undefined ? {} : { note }) };
  }

  #failed(
    error: unknown,
    action: Action,
    end: { readonly course: Course; readonly startedAt: number; readonly held: HeldNote | undefined },
  ): ToolOutcome {
    const answered = serverAnswer(error);
    const isOurs = error instanceof SallyportError || answered !== undefined || end.course.signal.aborted;
    if (!isOurs) this.#parts.onProblem(error, 'a tool call failed inside');
    const refusal = refusalFrom(error, action);
    const { code } = refusal;
    const why = end.course.signal.aborted ? 'CallerLeft' : answered === undefined ? code : 'ServerError';
    const { level } = this.#parts.trail;
    // `as`: what a server says is JSON, without `readonly`.
    const answer = level === 'full' ? (answered as Json | undefined) : undefined;
    this.#note(outcomeEvent(action, { error: why, startedAt: end.startedAt, answer }, level), end.held);
    return { kind: 'failed', action, refusal, ...(answered === undefined ? {} : { answered }) };
  }

  #note(event: NewEvent, held?: HeldNote): void {
    try {
      if (held === undefined) this.#parts.trail.note(event);
      else held.settle(event);
    } catch (error) {
      // The verdict is in the trail already; what the trail cannot take now, the gate refuses from now on.
      this.#parts.onProblem(error, 'how a tool call ended could not be recorded');
    }
  }
}

function answerOf({ content, structuredContent }: ToolResult): Json {
  return structuredContent === undefined ? { content } : { content, structured_content: structuredContent };
}

function exitCodeOf({ structuredContent }: ToolResult): number | undefined {
  const code = structuredContent?.exit_code;
  return typeof code === 'number' ? code : undefined;
}
