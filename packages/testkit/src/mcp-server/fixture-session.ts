import { randomUUID } from 'node:crypto';
import type { FixtureTool, JsonData, ToolRun } from './fixture-tool.ts';
import { hostileTools } from './hostile-tools.ts';
import { getPrompt, PROMPTS, RESOURCES, readResource, TEMPLATES } from './suite-contents.ts';
import { SUITE_TOOLS } from './suite-tools.ts';

export type RpcId = string | number;

/** Where messages of one session go. `about`: the request that a message belongs to. */
export interface SessionOutlet {
  send(message: JsonData, about: RpcId | undefined): void;
  closeStream(about: RpcId): void;
}

class RpcError extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];

/** One client of the fixture server, whatever carries its messages. */
export class FixtureSession {
  readonly #outlet: SessionOutlet;
  readonly #tools: Readonly<Record<string, FixtureTool>>;
  readonly #asked = new Map<RpcId, PromiseWithResolvers<JsonData>>();
  readonly #running = new Map<RpcId, AbortController>();
  #level = 0;

  constructor(outlet: SessionOutlet, options: { readonly descriptionFile?: string | undefined } = {}) {
    this.#outlet = outlet;
    this.#tools = { ...SUITE_TOOLS, ...hostileTools({ descriptionFile: options.descriptionFile }) };
  }

  async receive(message: JsonData): Promise<void> {
    const { id, method } = message;
    if (typeof method !== 'string') {
      this.#answered(message);
      return;
    }
    const params = (message.params ?? {}) as JsonData;
    if (id === undefined) {
      if (method === 'notifications/cancelled') this.#running.get(params.requestId as RpcId)?.abort();
      return;
    }
    const about = id as RpcId;
    try {
      const result = await this.#answer(method, params, about);
      this.#outlet.send({ jsonrpc: '2.0', id, result }, about);
    } catch (error) {
      const code = error instanceof RpcError ? error.code : -32603;
      const text = error instanceof Error ? error.message : 'failed';
      this.#outlet.send({ jsonrpc: '2.0', id, error: { code, message: text } }, about);
    }
  }

  #answered({ id, result, error }: JsonData): void {
    const asked = this.#asked.get(id as RpcId);
    this.#asked.delete(id as RpcId);
    if (error === undefined) asked?.resolve(result as JsonData);
    else asked?.reject(new Error(`the client refused: ${(error as JsonData).message}`));
  }

  #answer(method: string, params: JsonData, about: RpcId): Promise<JsonData> | JsonData {
    switch (method) {
      case 'initialize':
        return initialized(params);
      case 'ping':
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return {};
      case 'logging/setLevel':
        this.#level = LEVELS.indexOf(String(params.level));
        return {};
      case 'tools/list':
        return { tools: this.#listing() };
      case 'tools/call':
        return this.#call(params, about);
      case 'resources/list':
        return { resources: RESOURCES };
      case 'resources/templates/list':
        return { resourceTemplates: TEMPLATES };
      case 'resources/read':
        return found(readResource(String(params.uri)), -32002, 'there is no such resource');
      case 'prompts/list':
        return { prompts: PROMPTS };
      case 'prompts/get':
        return found(
          getPrompt(String(params.name), (params.arguments ?? {}) as JsonData),
          -32602,
          'there is no such prompt',
        );
      case 'completion/complete':
        return { completion: { values: ['paris', 'park', 'party'], total: 3, hasMore: false } };
      // open: any method
      default:
        throw new RpcError(-32601, 'there is no such method');
    }
  }

  #listing(): readonly JsonData[] {
    return Object.entries(this.#tools).map(([name, { description, inputSchema }]) => ({
      name,
      description,
      inputSchema,
    }));
  }

  async #call(params: JsonData, about: RpcId): Promise<JsonData> {
    const name = String(params.name);
    const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
    if (tool === undefined) throw new RpcError(-32602, `there is no tool ${name}`);
    const cancelled = new AbortController();
    this.#running.set(about, cancelled);
    try {
      return await tool.run(this.#runOf(params, about, cancelled.signal));
    } finally {
      this.#running.delete(about);
    }
  }

  #runOf(params: JsonData, about: RpcId, signal: AbortSignal): ToolRun {
    const meta = (params._meta ?? {}) as { readonly progressToken?: RpcId };
    const notify = (method: string, data: JsonData): void =>
      this.#outlet.send({ jsonrpc: '2.0', method, params: data }, about);
    return {
      args: (params.arguments ?? {}) as JsonData,
      progressToken: meta.progressToken,
      signal,
      notify,
      log: (level, data) => {
        if (LEVELS.indexOf(level) >= this.#level) notify('notifications/message', { level, data });
      },
      ask: (method, data) => {
        const id = randomUUID();
        const asked = Promise.withResolvers<JsonData>();
        this.#asked.set(id, asked);
        this.#outlet.send({ jsonrpc: '2.0', id, method, params: data }, about);
        return asked.promise;
      },
      closeStream: () => this.#outlet.closeStream(about),
    };
  }
}

function initialized(params: JsonData): JsonData {
  const asked = String(params.protocolVersion);
  return {
    protocolVersion: VERSIONS.includes(asked) ? asked : VERSIONS[0],
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    },
    serverInfo: { name: 'sallyport-fixture', version: '1.0.0' },
  };
}

function found(value: JsonData | undefined, code: number, message: string): JsonData {
  if (value === undefined) throw new RpcError(code, message);
  return value;
}
