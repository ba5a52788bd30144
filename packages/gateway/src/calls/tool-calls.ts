import { type Action, type Actor, type NewEvent, SallyportError, type Verdict } from '@sallyport/protocol';
import type { ActionBuilder, ActionContext, ToolCall } from '../actions/index.ts';
import type { AuditTrail, HeldNote } from '../audit/index.ts';
import type { ToolJob, ToolListing, ToolPath, ToolResult } from '../executors/index.ts';
import { type CompiledPolicy, type Gate, isVisible } from '../gate/index.ts';
import { refusalFrom, refusalOf } from './call-refusal.ts';
import { outcomeEvent, requestedEvent } from './invocation-events.ts';
import { overriddenInput } from './overridden-input.ts';
import { refuseLargeResult } from './result-size.ts';
import type { ToolCallRequest, ToolOutcome } from './tool-call.ts';

const RESULT_AT_MOST = 8 * 1024 * 1024;

/** Whatever finds the path of a tool and carries calls out on it. */
export type ToolRoutes = Pick<ToolPath, 'tools' | 'knows' | 'run'>;

export interface ToolCallsParts {
  readonly gate: Pick<Gate, 'admit'>;
  readonly policyOf: (tenant: string) => CompiledPolicy | undefined;
  /** of the tenant's policy of this moment; the shell parser is loaded with the first one */
  readonly builderFor: (tenant: string) => ActionBuilder | Promise<ActionBuilder>;
  readonly routes: ToolRoutes;
  readonly trail: AuditTrail;
  /** told of what could not be recorded, or broke where nothing should */
  readonly onProblem: (error: unknown, what: string) => void;
  /** characters that a result may have; 8 Mi when absent */
  readonly resultAtMost?: number;
}

type Allow = Verdict & { readonly kind: 'allow' };

/**
 * The one way from a tool call to its result: build the action, have it admitted, carry it out, record how it ended.
 *
 * Contract: `call` never throws for what an agent sent or a tool did; nothing runs without the gate's permit.
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
    return this.#parts.routes.tools(actor).filter(({ tool }) => isVisible(policy, actor, tool));
  }

  /** Whether the actor may see a tool of that name, whether or not anybody has one. */
  maySee(actor: Actor, tool: string): boolean {
    const policy = this.#parts.policyOf(actor.tenant);
    return policy !== undefined && isVisible(policy, actor, tool);
  }

  async call(request: ToolCallRequest): Promise<ToolOutcome> {
    const { gate, builderFor } = this.#parts;
    const startedAt = performance.now();
    const found = builderFor(request.actor.tenant);
    const builder = found instanceof Promise ? await found : found;
    const context = contextOf(request);
    const build = (call: ToolCall): Action => builder.tool(call, context);
    const action = build({ tool: request.tool, input: request.input });
    this.#note(requestedEvent(action));
    let held: HeldNote | undefined;
    const verdict = await gate.admit(action, {
      signal: request.signal,
      wait: request.wait ?? true,
      rebuild: (asked, text) => build({ tool: asked.tool, input: overriddenInput(text) }),
      onHeld: (note) => {
        held = note;
      },
      ...(request.onAsked === undefined ? {} : { onAsked: request.onAsked }),
    });
    if (verdict.kind === 'deny') return { kind: 'refused', action, refusal: refusalOf(verdict, action) };
    const admitted = verdict.action ?? action;
    return this.#carryOut(request, admitted, verdict, { startedAt, held });
  }

  async #carryOut(
    request: ToolCallRequest,
    action: Action,
    verdict: Allow,
    { startedAt, held }: { readonly startedAt: number; readonly held: HeldNote | undefined },
  ): Promise<ToolOutcome> {
    const { routes, resultAtMost = RESULT_AT_MOST, onProblem } = this.#parts;
    const job: ToolJob = {
      action,
      verdict,
      signal: request.signal,
      ...(request.onProgress === undefined ? {} : { onProgress: request.onProgress }),
    };
    let result: ToolResult;
    try {
      result = await routes.run(job);
      refuseLargeResult(result, resultAtMost);
    } catch (error) {
      if (!(error instanceof SallyportError)) onProblem(error, 'a tool call failed inside');
      const refusal = refusalFrom(error, action);
      this.#note(outcomeEvent(action, { error: refusal.code, startedAt }), held);
      return { kind: 'failed', action, refusal };
    }
    this.#note(outcomeEvent(action, { isError: result.isError, startedAt }), held);
    return {
      kind: 'done',
      action,
      result,
      ...(verdict.note === undefined ? {} : { note: verdict.note }),
    };
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

/** Names of files in a tool's input are names in the agent's world: what stands on this host says nothing of them. */
const NOTHING_HERE: NonNullable<ActionContext['links']> = () => ({ kind: 'missing' });

function contextOf({ door, actor, cwd = '/' }: ToolCallRequest): ActionContext {
  return { door, actor, cwd, home: '/', links: NOTHING_HERE };
}
