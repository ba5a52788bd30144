import {
  type Action,
  type HookAnswer,
  type HookClient,
  type JsonObject,
  SallyportError,
  type Verdict,
} from '@sallyport/protocol';
import {
  type ActionBuilder,
  type ActionContext,
  realFolder,
  requestsMadeBy,
  workspaceOf,
} from '../../actions/index.ts';
import { actorOf, type Call, type CarryOutParts, carryOut } from '../../calls/index.ts';
import type { Coordination } from '../../coordination/index.ts';
import type { SessionFacts } from '../../identity/index.ts';
import { redeemPermit } from '../../shared/permit.ts';
import { clientAnswer, type Said } from './client-answer.ts';
import { type HookEvent, hookOverride, isPath, readHookEvent } from './hook-event.ts';
import { CONSENTS, RecentConsents } from './recent-consents.ts';
import { callOf, ToldAnswers } from './told-answers.ts';
import { answerCall, answerRequest, readWitnessMessage, UNREAD } from './witness.ts';

export interface HookDoorParts extends CarryOutParts {
  readonly builderFor: (tenant: string) => ActionBuilder | Promise<ActionBuilder>;
  /** resolves when it is known which tools the gateway has itself */
  readonly toolsReady: () => unknown;
  readonly coordination: Pick<Coordination, 'codes'>;
  readonly version: string;
  /** aborts when the gateway begins to stop */
  readonly stopping: AbortSignal;
}

/** One call of a client's hook. */
export interface HookCall {
  readonly client: HookClient;
  readonly session: SessionFacts;
  readonly event: unknown;
  readonly home: string | undefined;
  /** where the client keeps temporary files, by its own word */
  readonly temporary?: string | undefined;
  readonly waitMs: number;
  /** aborts when the hook hung up */
  readonly gone: AbortSignal;
}

/**
 * Answers the hooks of agents that run their tools themselves.
 *
 * Contract: it never rejects, and whatever goes wrong is a `deny`. Nothing is carried out here.
 */
export class HookDoor {
  readonly #parts: HookDoorParts;
  readonly #consents: RecentConsents;
  readonly #told = new ToldAnswers();

  constructor(parts: HookDoorParts) {
    this.#parts = parts;
    this.#consents = new RecentConsents(parts.coordination.codes(CONSENTS));
  }

  answer(call: HookCall): Promise<HookAnswer> {
    const answer = this.#answer(call);
    const { client, session, event } = call;
    const whose = session.confinement === 'unconfined' ? undefined : session.id;
    const known = client === 'codex' ? callOf(whose, event) : undefined;
    if (known !== undefined) this.#told.keep(known, answer);
    return answer;
  }

  /**
   * Answers a client that asks by itself, over MCP, what its hook was told. Codex runs the tool when the shell around its
   * hook is killed, and keeps it back when this says so. undefined: nothing is to be said.
   *
   * `whose`: the session whose jail it came from. Contract: it never rejects, and an answer that nobody has is a no.
   */
  async witness(
    body: unknown,
    whose: string | undefined,
    gone: AbortSignal,
  ): Promise<JsonObject | undefined> {
    const message = readWitnessMessage(body);
    switch (message.kind) {
      case 'none':
        return UNREAD;
      case 'notification':
        return undefined;
      case 'request':
        return answerRequest(message, this.#parts.version);
      case 'call': {
        const known = callOf(whose, message.event);
        const told = known === undefined ? undefined : await this.#told.take(known, message.withinMs, gone);
        return answerCall(message.id, told);
      }
    }
  }

  async #answer(call: HookCall): Promise<HookAnswer> {
    const { client } = call;
    let event: HookEvent | undefined;
    try {
      event = readHookEvent(call.event);
      return await this.#judge(call, event);
    } catch (error) {
      // SECURITY: a client takes a hook that says nothing for one that agrees [TO-8].
      const isTold = error instanceof SallyportError;
      if (!isTold) this.#parts.onProblem(error, 'a hook could not be answered');
      const { code, message, hint } = isTold ? error : new SallyportError('Internal');
      return refused(client, event?.kind ?? 'PreToolUse', { code, reason: message, hint });
    }
  }

  async #judge(call: HookCall, event: HookEvent): Promise<HookAnswer> {
    const { client, session } = call;
    const builder = await this.#parts.builderFor(session.tenant);
    const context = contextOf(call, event);
    const build = (input: JsonObject): Action => builder.tool({ client, tool: event.tool, input }, context);
    const action = build(event.input);
    if (action.tool.startsWith('mcp:')) await this.#parts.toolsReady();
    const question = `${session.id} ${client} ${action.fingerprint}`;
    // The same call was allowed by a person a moment ago: the client now asks for its own record.
    if (event.kind === 'PermissionRequest' && (await this.#consents.take(question)))
      return told(client, event, { decision: 'allow' });
    const verdict = await this.#patiently(call, action, {
      again: () => build(event.input),
      rebuild: (_asked, text) => build(hookOverride(event.input, text)),
    });
    if (verdict.kind === 'deny') {
      const { violation: code, reason, hint, note, approval, rule } = verdict;
      return refused(client, event.kind, { code, reason, hint, note, approval, rule });
    }
    const isChanged = verdict.action !== undefined;
    // SECURITY: outside a jail a rule that allows is no reason to take the client's own question away from its person.
    const decision = verdict.by === 'policy' && session.confinement === 'unconfined' ? 'pass' : 'allow';
    if (event.kind === 'PreToolUse' && decision === 'allow' && !isChanged) {
      const kept = this.#consents.keep(question);
      if (kept instanceof Promise) await kept;
    }
    const { note, approval } = verdict;
    return told(
      client,
      event,
      {
        decision: isChanged ? 'allow' : decision,
        ...(note === undefined ? {} : { note }),
        ...(isChanged ? { input: verdict.action.input } : {}),
      },
      approval,
    );
  }

  /**
   * Waits for people as long as the client does; then they are asked on, and the agent is told to try again. A client
   * that does not wait is judged once, like one whose time is over.
   */
  async #patiently(
    { gone, waitMs }: HookCall,
    action: Action,
    { again, rebuild }: { readonly again: () => Action; readonly rebuild: Rebuild },
  ): Promise<Verdict> {
    const { stopping } = this.#parts;
    if (waitMs <= 0) return this.#askOn(action);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(), waitMs);
    try {
      const signal = AbortSignal.any([gone, stopping, late.signal]);
      const verdict = await this.#verdictOn(action, { signal, rebuild, again });
      const isLate = late.signal.aborted && !gone.aborted && !stopping.aborted;
      if (verdict.kind === 'allow' || verdict.violation !== 'ApprovalCancelled' || !isLate) return verdict;
    } finally {
      clearTimeout(timer);
    }
    return this.#askOn(again());
  }

  async #askOn(action: Action): Promise<Verdict> {
    const asked = await this.#verdictOn(action, { signal: NEVER, wait: false });
    if (asked.kind === 'allow' || asked.violation !== 'ApprovalPending') return asked;
    return {
      ...asked,
      hint: 'no answer yet: make the same call again later, it runs once a person said yes; `request_access` asks once for all that a task needs',
    };
  }

  /** The client is what carries it out, and nobody hears how it ended. */
  #verdictOn(
    action: Action,
    how: Pick<Call<Verdict>, 'signal' | 'wait' | 'rebuild' | 'again'>,
  ): Verdict | Promise<Verdict> {
    return carryOut<Verdict>(this.#parts, {
      ...how,
      hasEnd: false,
      leadsTo: requestsMadeBy,
      build: () => action,
      refused: (verdict) => verdict,
      execute: (permit) => {
        // SECURITY: what the client was told it may do, nothing here can do a second time [GA-1].
        redeemPermit(permit.verdict, permit.action);
        return permit.verdict;
      },
    });
  }
}

type Rebuild = Call<Verdict>['rebuild'];

/** People are asked on, whoever hung up. */
const NEVER = new AbortController().signal;

/** Throws `BadRequest` for a home that is none. */
function contextOf({ session, home = '/', temporary }: HookCall, { cwd }: HookEvent): ActionContext {
  if (!isPath(home)) throw new SallyportError('BadRequest', { message: '`home` is not an absolute path' });
  const workspace = workspaceOf(session.workspace, realFolder(home), temporary);
  return { door: 'hook', actor: actorOf(session), cwd: realFolder(cwd), home, workspace };
}

function told(
  client: HookClient,
  { kind }: Pick<HookEvent, 'kind'>,
  said: Said,
  approval?: string,
): HookAnswer {
  const { decision, reason } = said;
  return {
    decision,
    ...(reason === undefined ? {} : { reason }),
    ...(approval === undefined ? {} : { approval_id: approval }),
    output: clientAnswer(client, kind, said),
  };
}

interface Refused {
  readonly code: string;
  readonly reason: string;
  readonly hint?: string | undefined;
  readonly note?: string | undefined;
  readonly approval?: string | undefined;
  readonly rule?: string | undefined;
}

/** In words that an agent can act on. */
function refused(client: HookClient, kind: HookEvent['kind'], why: Refused): HookAnswer {
  const { code, reason, hint, note, approval, rule } = why;
  const parts = [
    `sallyport: ${code}: ${reason}`,
    ...(rule === undefined ? [] : [`(rule \`${rule}\`)`]),
    ...(note === undefined ? [] : [`A person wrote: ${note}`]),
    ...(hint === undefined ? [] : [`What now: ${hint}`]),
    ...(approval === undefined ? [] : [`[${approval}]`]),
  ];
  const text = parts.join(' ');
  return { ...told(client, { kind }, { decision: 'deny', reason: text }, approval), code };
}
