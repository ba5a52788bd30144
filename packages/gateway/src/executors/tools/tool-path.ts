import type { Action, Actor, DispatchOrder, JsonObject, Verdict } from '@sallyport/protocol';

/**
 * What a tool gave back, as MCP has it, whichever path carried the call out: what a server sent is this very object, and
 * goes to MCP clients as it is. Data, never an instruction.
 */
export interface ToolResult {
  /** content blocks: `{type: 'text', text}`, images, resources */
  readonly content: readonly JsonObject[];
  readonly structuredContent?: JsonObject;
  readonly isError?: boolean;
  readonly _meta?: JsonObject;
}

/** A call that the gate let through. */
export interface ToolJob {
  /** what was admitted: a person may have changed it */
  readonly action: Action;
  /** the permit; `redeemPermit(verdict, action)` is the first thing a path does */
  readonly verdict: Verdict;
  /** aborts when the caller leaves or its session ends */
  readonly signal: AbortSignal;
  readonly onProgress?: (progress: JsonObject) => void;
  /** the caller runs commands itself, in its own sandbox: it is told what to run, and answers for that later */
  readonly onOrder?: (order: DispatchOrder) => void;
}

/** A tool as clients list it. */
export interface ToolListing {
  /** the name that rules use: `fs.read`, `web.fetch`, `mcp:github/create_issue` */
  readonly tool: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** One of the three ways a tool call is carried out: host files, an MCP server, a command in the agent's sandbox. */
export interface ToolPath {
  readonly kind: 'fsal' | 'external' | 'dispatch';
  /** What it could carry out for this actor now; who may use which of them is the gate's business. */
  tools(actor: Actor): readonly ToolListing[];
  /** Whether the name is one of its tools, running or not. */
  knows(tool: string): boolean;
  /** Redeems the permit and carries the call out; `calls/` records how it ended. Throws `SallyportError` when it cannot. */
  run(job: ToolJob): Promise<ToolResult>;
}
