import type { Door, DoorWithPort } from '@sallyport/protocol';
import type { DoctorCheck } from '../config/index.ts';
import type { AgentServices, DoorDefinition, OpenDoor, PortListener } from '../servers/index.ts';
import { apiDoor } from './api/index.ts';
import { hookDoor } from './hook/index.ts';
import { mcpDoor } from './mcp/index.ts';
import { proxyDoor } from './proxy/index.ts';
import { sealDoor } from './seal/index.ts';
import { sshDoor } from './ssh/index.ts';

/** A name that actions may have already, and nothing comes in by. */
export const NOT_YET = 'not yet';

/** Every door. A name of the protocol without a line here does not compile. */
export const doors = {
  proxy: proxyDoor,
  ssh: sshDoor,
  api: apiDoor,
  mcp: mcpDoor,
  hook: hookDoor,
  seal: sealDoor,
  chat: NOT_YET,
} as const satisfies { readonly [Name in Door]: DoorDefinition<Name> | typeof NOT_YET };

/** Names of the doors that there are. */
type BuiltDoor = {
  [Name in Door]: (typeof doors)[Name] extends DoorDefinition<Name> ? Name : never;
}[Door];

/** Each door as it opened, with what only the gateway knows of it. */
export type OpenDoors = { readonly [Name in BuiltDoor]: Awaited<ReturnType<(typeof doors)[Name]['open']>> };

/** What `doctor` looks at for the doors. */
export function doorChecks(): readonly DoctorCheck[] {
  return definitions().flatMap(({ doctor }) => doctor ?? []);
}

/** Builds all of them, one after the other. Nothing listens yet. */
export async function openDoors(services: AgentServices): Promise<OpenDoors> {
  const opened: [string, OpenDoor][] = [];
  for (const door of definitions()) opened.push([door.name, await door.open(services)]);
  // `as`: one for each definition
  return Object.fromEntries(opened) as unknown as OpenDoors;
}

/** What takes the connections of the ports that are doors' own. */
export function portListeners(open: OpenDoors): Readonly<Record<DoorWithPort, PortListener>> {
  const found = Object.entries<OpenDoor>(open).flatMap(([name, { listener }]) =>
    listener === undefined ? [] : [[name, listener] as const],
  );
  // `as`: a door whose facts name a port does not compile without a listener
  return Object.fromEntries(found) as Record<DoorWithPort, PortListener>;
}

function definitions(): readonly DoorDefinition[] {
  return Object.values<DoorDefinition | typeof NOT_YET>(doors).filter((door) => door !== NOT_YET);
}
