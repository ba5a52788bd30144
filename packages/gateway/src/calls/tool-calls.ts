import {
  type Action,
  type Actor,
  type ErrorCode,
  type Json,
  type JsonObject,
  SallyportError,
} from '@sallyport/protocol';
import {
  type ActionBuilder,
  type ActionContext,
  EVERYTHING,
  finishAction,
  riskOf,
} from '../actions/index.ts';
import type { AuditTrail } from '../audit/index.ts';
import type { McpToolJob, ToolListing, ToolPath, ToolResult } from '../executors/index.ts';
import { type CompiledPolicy, callLimits, isVisible } from '../gate/index.ts';
import { redeemPermit } from '../shared/permit.ts';
import { visibleText } from '../shared/visible-text.ts';
import { refusalFrom, refusalOf, serverAnswer } from './call-refusal.ts';
import { type CarryOutParts, carryOut, type Permit } from './carry-out.ts';
import { outcomeEvent, requestedEvent } from './invocation-events.ts';
import { overriddenInput } from './overridden-input.ts';
import { refuseLargeResult } from './result-size.ts';
import { runWithin } from './run-within.ts';
import {
  type ReadOutcome,
  SERVER_READS,
  type ServerReadRequest,
  type ToolCallRequest,
  type ToolOutcome,
} from './tool-call.ts';

const RESULT_AT_MOST = 8 * 1024 * 1024;

/** Whatever finds the path of a tool and carries calls out on it. */
export type ToolRoutes = Pick<ToolPath, 'tools' | 'knows' | 'run'>;

export interface ToolCallsParts extends CarryOutParts {
  readonly policyOf: (tenant: string) => CompiledPolicy | undefined;
  /** whether the roles behind the actor reach any use of a tool; absent where there are no roles */
  readonly rolesReach?: (actor: Actor, tool: string) => boolean;
  /** of the tenant's policy of this moment; the shell parser is loaded with the first one */
  readonly builderFor: (tenant: string) => ActionBuilder | Promise<ActionBuilder>;
  readonly routes: ToolRoutes;
  /** where an agent stands in its own world, and how links in it are looked at: what an input names is judged there */
  readonly worldOf: (tool: string, tenant: string) => Pick<ActionContext, 'cwd' | 'links'>;
  /** whether the operator says of a call to a server that it only reads */
  readonly onlyReads?: (tool: string, input: JsonObject) => boolean;
  /** told of every no, for paths that record what they would have refused themselves */
  readonly onRefused?: (action: Action, violation: ErrorCode) => void;
  readonly trail: AuditTrail;
  /** characters that a result may have; 8 Mi when absent */
  readonly resultAtMost?: number;
}

/** One call of a tool: how its action is made of an input, and what carries it out. */
interface OneCall extends Pick<ToolCallRequest, 'input' | 'signal' | 'wait' | 'onAsked'> {
  build(input: JsonObject): Action;
  run(permit: Permit, signal: AbortSignal): Promise<ToolResult>;
}

/**
 * Tool calls of every door, from what came in to the result.
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
    const { door, actor, cwd, tool, input, signal, onProgress, onAsked, wait, extras } = request;
    const world = this.#parts.worldOf(tool, actor.tenant);
    const context: ActionContext = {
      // What the gateway carries out happens in volumes and sandboxes, not on the machine.
      ...{ door, actor, home: '/', workspace: EVERYTHING },
      ...world,
      ...(cwd === undefined ? {} : { cwd }),
    };
    return this.#carryOut({
      ...{ input, signal, onAsked, wait },
      build: (given) =>
        builder.tool(
          { tool, input: given, onlyReads: this.#parts.onlyReads?.(tool, given) === true },
          context,
        ),
      run: ({ action, verdict }, within) => {
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
    const { input, signal, onAsked, wait } = request;
    const outcome = await this.#carryOut({
      ...{ input, signal, onAsked, wait },
      build: (given) => readAction(request, given),
      run: async ({ action, verdict }) => {
        redeemPermit(verdict, action);
        return { content: [await request.run(action.input)] };
      },
    });
    if (outcome.kind !== 'done') return outcome;
    const [answer] = outcome.result.content;
    if (answer === undefined) throw new SallyportError('Internal');
    return { kind: 'done', result: answer };
  }

  #carryOut(call: OneCall): ToolOutcome | Promise<ToolOutcome> {
    const startedAt = performance.now();
    const { input, signal, onAsked, wait } = call;
    return carryOut<ToolOutcome>(this.#parts, {
      ...{ signal, onAsked, wait, hasEnd: true },
      build: () => call.build(input),
      rebuild: (_asked, text) => call.build(overriddenInput(text)),
      announce: requestedEvent,
      refused: (verdict, action) => {
        this.#parts.onRefused?.(action, verdict.violation);
        return { kind: 'refused', action, refusal: refusalOf(verdict, action) };
      },
      execute: (permit) => this.#execute(permit, call, startedAt),
    });
  }

  async #execute(permit: Permit, call: OneCall, startedAt: number): Promise<ToolOutcome> {
    const { action, verdict } = permit;
    const { resultAtMost = RESULT_AT_MOST, policyOf } = this.#parts;
    let result: ToolResult;
    try {
      const policy = policyOf(action.actor.tenant);
      const limits = policy === undefined ? undefined : callLimits(policy, action);
      result = await runWithin(limits?.timeoutMs, call.signal, (signal) => call.run(permit, signal));
      refuseLargeResult(result, resultAtMost, limits?.maxOutputBytes);
    } catch (error) {
      return this.#failed(error, permit, call.signal, startedAt);
    }
    const { level } = this.#parts.trail;
    const answer = level === 'full' ? answerOf(result) : undefined;
    const exitCode = exitCodeOf(result);
    permit.end(
      outcomeEvent(action, { isError: result.isError === true, startedAt, answer, exitCode }, level),
    );
    const { note } = verdict;
    return { kind: 'done', action, result, ...(note === undefined ? {} : { note }) };
  }

  #failed(error: unknown, permit: Permit, signal: AbortSignal, startedAt: number): ToolOutcome {
    const { action } = permit;
    const answered = serverAnswer(error);
    const isOurs = error instanceof SallyportError || answered !== undefined || signal.aborted;
    if (!isOurs) this.#parts.onProblem(error, 'a tool call failed inside');
    const refusal = refusalFrom(error, action);
    const why = signal.aborted ? 'CallerLeft' : answered === undefined ? refusal.code : 'ServerError';
    const { level } = this.#parts.trail;
    // `as`: what a server says is JSON, without `readonly`.
    const answer = level === 'full' ? (answered as Json | undefined) : undefined;
    permit.end(outcomeEvent(action, { error: why, startedAt, answer }, level));
    return { kind: 'failed', action, refusal, ...(answered === undefined ? {} : { answered }) };
  }
}

function answerOf({ content, structuredContent }: ToolResult): Json {
  return structuredContent === undefined ? { content } : { content, structured_content: structuredContent };
}

function exitCodeOf({ structuredContent }: ToolResult): number | undefined {
  const code = structuredContent?.exit_code;
  return typeof code === 'number' ? code : undefined;
}

const NAME = new RegExp(`^mcp:[^/]+/(?:${SERVER_READS.join('|')})$`);

/** Whether a name is that of something to read at a server, and not of a tool. */
export function isServerRead(tool: string): boolean {
  return tool.startsWith('mcp:') && NAME.test(tool);
}

/** The action of reading something of a server: it asks for data and changes nothing. */
function readAction(
  { door, actor, server, method }: ServerReadRequest,
  input: ServerReadRequest['input'],
): Action {
  const tool = `mcp:${server}/${method}`;
  const type = 'external_data:request';
  return finishAction({
    ...{ door, actor, tool, type, input },
    effect: 'read',
    reach: 'remote',
    risk: riskOf(type, 'read'),
    target: { kind: 'mcp', server, tool: method },
    preview: visibleText(`${tool}\n${JSON.stringify(input)}`),
  });
}
