import type { Action, Actor, DOORS, Door, ErrorCode, Json, JsonObject } from '@sallyport/protocol';
import type { McpToolJob, ToolResult } from '../executors/index.ts';
import type { SessionFacts } from '../identity/index.ts';

/** Doors whose tools the gateway's router knows. */
type RoutedDoor = {
  [Name in Door]: (typeof DOORS)[Name]['toolsKnownBy'] extends 'router' ? Name : never;
}[Door];

/** One call of a tool, as a door hands it over: who, what, and how long the caller stays. */
export interface ToolCallRequest {
  readonly door: RoutedDoor;
  readonly actor: Actor;
  /** the name that rules use */
  readonly tool: string;
  readonly input: JsonObject;
  /** aborts when the caller leaves or its session ends */
  readonly signal: AbortSignal;
  /** working folder inside the agent's own world; its usual one when absent */
  readonly cwd?: string;
  readonly onProgress?: (progress: JsonObject) => void;
  /** told which question people are asked, while this call waits for their answer */
  readonly onAsked?: ((approval: string) => void) | undefined;
  /** false: do not wait for people; the outcome is then `ApprovalPending` with its approval */
  readonly wait?: boolean | undefined;
  /** what the path of MCP servers is told of the client besides */
  readonly extras?: Pick<McpToolJob, 'peer' | 'meta' | 'context' | 'onOrder'>;
}

/** Something that is read of an MCP server, and is no tool: judged as `mcp:SERVER/METHOD`. */
export interface ServerReadRequest
  extends Pick<ToolCallRequest, 'door' | 'actor' | 'input' | 'signal' | 'onAsked' | 'wait'> {
  readonly server: string;
  readonly method: ServerReadMethod;
  /** Asks the server, once it may be asked. */
  run(input: JsonObject): Promise<JsonObject>;
}

export const SERVER_READS = ['resources/read', 'prompts/get'] as const;
export type ServerReadMethod = (typeof SERVER_READS)[number];

/** An error that a server answered with in its own protocol. */
export interface ServerAnswer {
  readonly code: number;
  readonly message: string;
  readonly data?: Json;
}

/** Why a call was not carried out, or not to its end: in words that an agent can act on. */
export interface CallRefusal {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string;
  readonly layer?: string;
  readonly rule?: string;
  readonly actionId: string;
  /** the question that people were asked about this */
  readonly approval?: string;
}

/** How a call ended. */
export type ToolOutcome =
  /** the tool answered, maybe with an error of its own; `action` is what ran */
  | {
      readonly kind: 'done';
      readonly action: Action;
      readonly result: ToolResult;
      /** what the person who allowed it wrote beside the answer */
      readonly note?: string;
    }
  /** the gate did not let it pass: nothing ran */
  | { readonly kind: 'refused'; readonly action: Action; readonly refusal: CallRefusal }
  /** it was let through and could not be carried out */
  | {
      readonly kind: 'failed';
      readonly action: Action;
      readonly refusal: CallRefusal;
      /** what a server said instead of a result, for clients that speak its protocol */
      readonly answered?: ServerAnswer;
    };

/** How reading ended. */
export type ReadOutcome =
  | { readonly kind: 'done'; readonly result: JsonObject }
  | Exclude<ToolOutcome, { readonly kind: 'done' }>;

const actors = new WeakMap<SessionFacts, Actor>();

/** One frozen object for each session: what is derived from it is then kept, wherever it is needed. */
export function actorOf(session: SessionFacts): Actor {
  const known = actors.get(session);
  if (known !== undefined) return known;
  const { tenant, user, agent, id, chain, confinement } = session;
  const actor: Actor = Object.freeze({ tenant, user, agent, session: id, chain, confinement });
  if (Object.isFrozen(session)) actors.set(session, actor);
  return actor;
}
