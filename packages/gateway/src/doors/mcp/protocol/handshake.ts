import type { JsonObject } from '@sallyport/protocol';
import type { McpServer } from '../../../executors/index.ts';
import { isObject } from '../../../shared/json-rpc.ts';
import type { McpDoorParts } from './door-parts.ts';

/** Versions of the protocol that are spoken here, the newest first. */
const VERSIONS: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'];

export function isKnownVersion(version: string): boolean {
  return VERSIONS.includes(version);
}

/** The version that the client wants where it is known, else the newest. */
export function agreedVersion({ protocolVersion }: JsonObject): string {
  const wanted = typeof protocolVersion === 'string' ? protocolVersion : '';
  return isKnownVersion(wanted) ? wanted : (VERSIONS[0] ?? wanted);
}

/** What a client may declare that servers are told: what it answers when they ask. */
export function clientCapabilities({ capabilities }: JsonObject): JsonObject {
  if (!isObject(capabilities)) return {};
  const { sampling, elicitation, roots } = capabilities;
  return {
    ...(isObject(sampling) ? { sampling } : {}),
    ...(isObject(elicitation) ? { elicitation } : {}),
    ...(isObject(roots) ? { roots } : {}),
  };
}

/** How long a client waits for servers that are on their first start, in ms */
const START_AT_MOST_MS = 10_000;

/** Resolves once no server of the tenant (or not the named one) is on its first start, or after ten seconds. */
export async function serversReady(
  servers: Pick<McpDoorParts['servers'], 'ofTenant' | 'onChange'>,
  tenant: string,
  name: string | undefined,
): Promise<void> {
  const isStarting = (): boolean =>
    servers
      .ofTenant(tenant)
      .some((server) => (name === undefined || server.name === name) && server.status === 'Starting');
  if (!isStarting()) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      stop();
      resolve();
    };
    const timer = setTimeout(done, START_AT_MOST_MS);
    const stop = servers.onChange(() => {
      if (!isStarting()) done();
    });
  });
}

const INSTRUCTIONS =
  'These tools are guarded: each call is checked, and some wait for the consent of a person. A refused call has a ' +
  '`code` and says what to do instead; do not repeat it unchanged. A call that returns `ApprovalPending` goes on: call ' +
  '`wait_for_approval` with its `approval_id` for the result. Before a task that will need several consents, call ' +
  '`request_access` once with all of them.';

/** `initialize` of a client that sees everything it may use. */
export function helloOfAll(protocolVersion: string, version: string): JsonObject {
  return {
    protocolVersion,
    capabilities: {
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
      prompts: { listChanged: true },
      logging: {},
      completions: {},
    },
    serverInfo: { name: 'sallyport', title: 'Sallyport', version },
    instructions: INSTRUCTIONS,
  };
}

/** `initialize` of a client that sees one server: what that says of itself, as far as it passes here. */
export function helloOf(
  protocolVersion: string,
  server: McpServer,
  hello: NonNullable<McpServer['hello']>,
): JsonObject {
  const { tools, resources, prompts, logging, completions } = hello.capabilities;
  const { instructions } = server;
  return {
    protocolVersion,
    capabilities: {
      ...(tools === undefined ? {} : { tools: { listChanged: true } }),
      ...(resources === undefined ? {} : { resources }),
      ...(prompts === undefined ? {} : { prompts }),
      ...(logging === undefined ? {} : { logging }),
      ...(completions === undefined ? {} : { completions }),
    },
    serverInfo: shortInfo(hello.serverInfo),
    ...(instructions === undefined ? {} : { instructions }),
  };
}

const NAME_AT_MOST = 128;

/** SECURITY: what else a server says of itself is pinned nowhere, so it reaches no client [TO-2]. */
function shortInfo(info: JsonObject): JsonObject {
  const text = (value: unknown): string | undefined =>
    typeof value === 'string' ? value.slice(0, NAME_AT_MOST) : undefined;
  const title = text(info.title);
  return {
    name: text(info.name) ?? 'unnamed',
    version: text(info.version) ?? '0',
    ...(title === undefined ? {} : { title }),
  };
}
