/**
 * What holds of everything that comes in by a door. The gate and whoever asks people read these facts and judge;
 * nobody asks for a door by its name.
 */
export interface DoorFacts {
  /** for people: who comes in here */
  readonly about: string;
  /** an agent, proved by its session; or a program with an API key, which names its runs itself */
  readonly speaker: 'agent' | 'client';
  /** what it wants to do is told in its own words, and nothing else shows it */
  readonly selfDeclared: boolean;
  /** a tool is called by its name, so that the list of the agent's tools counts; elsewhere that has happened before */
  readonly namesTools: boolean;
  /** who knows whether there is such a tool: the gateway's router, the door by itself, or the catalogue of tools */
  readonly toolsKnownBy: 'router' | 'door' | 'catalogue';
  /** the caller runs what was allowed itself, on the gateway's machine or in a jail on it */
  readonly callerRunsHere: boolean;
  /** what is judged is the request as it would be sent: nothing behind this door takes a secret out of it */
  readonly carriesRequests: boolean;
  /** what a person writes instead of the input is carried out if it fits the tool, or handed back as it is */
  readonly override: 'carried out' | 'handed back';
  /** a port of its own, by the name of the door; absent where it has routes on the agent side */
  readonly port?: PortFacts;
}

export interface PortFacts {
  /** unless the config or a flag says otherwise */
  readonly standard: number;
  /** for people: who connects there */
  readonly about: string;
  /** of its address */
  readonly scheme: string;
}

/** Every door, and what holds of it. A door is added here, in its own folder, and in the gateway's list of doors. */
export const DOORS = {
  proxy: {
    about: "requests of the agent's programs, through an HTTP(S) proxy",
    speaker: 'agent',
    selfDeclared: false,
    namesTools: false,
    toolsKnownBy: 'door',
    callerRunsHere: false,
    carriesRequests: true,
    override: 'carried out',
    port: { standard: 7181, about: 'agent side: HTTP proxy', scheme: 'http' },
  },
  ssh: {
    about: 'command lines by SSH',
    speaker: 'agent',
    selfDeclared: false,
    namesTools: false,
    toolsKnownBy: 'door',
    callerRunsHere: false,
    carriesRequests: false,
    override: 'carried out',
    port: { standard: 7122, about: 'agent side: SSH', scheme: 'ssh' },
  },
  mcp: {
    about: 'tool calls by the Model Context Protocol',
    speaker: 'agent',
    selfDeclared: false,
    namesTools: true,
    toolsKnownBy: 'router',
    callerRunsHere: false,
    carriesRequests: false,
    override: 'carried out',
  },
  seal: {
    about: 'tool calls of attested workers, in signed envelopes',
    speaker: 'agent',
    selfDeclared: false,
    namesTools: true,
    toolsKnownBy: 'router',
    callerRunsHere: false,
    carriesRequests: false,
    override: 'carried out',
  },
  hook: {
    about: 'clients that run their tools themselves and ask before each: Claude Code, Codex, Pi',
    speaker: 'agent',
    selfDeclared: false,
    namesTools: true,
    toolsKnownBy: 'door',
    callerRunsHere: true,
    carriesRequests: false,
    override: 'carried out',
  },
  api: {
    about: 'programs that ask people by the approvals API',
    speaker: 'client',
    selfDeclared: true,
    namesTools: false,
    toolsKnownBy: 'door',
    callerRunsHere: false,
    carriesRequests: false,
    override: 'handed back',
  },
  chat: {
    about: 'agents that the gateway runs itself',
    speaker: 'agent',
    selfDeclared: false,
    namesTools: true,
    toolsKnownBy: 'catalogue',
    callerRunsHere: false,
    carriesRequests: false,
    override: 'carried out',
  },
} as const satisfies Readonly<Record<string, DoorFacts>>;

export type Door = keyof typeof DOORS;

// Asked several times for each action: a map is quicker than the literal by a name that is not known beforehand.
const FACTS = new Map<string, DoorFacts>(Object.entries(DOORS));

/** What holds of a door. */
export function factsOfDoor(door: Door): DoorFacts {
  // `as`: every door is in there
  return FACTS.get(door) as DoorFacts;
}

/** Doors that listen on a port of their own. */
export type DoorWithPort = {
  [Name in Door]: (typeof DOORS)[Name] extends { readonly port: PortFacts } ? Name : never;
}[Door];

/** What listens: the two HTTP sides, and doors with a port of their own. */
export type PortName = 'api' | DoorWithPort | 'operator';

export const PORTS: Readonly<Record<PortName, PortFacts>> = {
  api: { standard: 7180, about: 'agent side: API, MCP, SEAL', scheme: 'http' },
  ...doorPorts(),
  operator: { standard: 7183, about: 'operator side: operator API and console', scheme: 'http' },
};

// `as`: of a literal the keys are known
export const PORT_NAMES = Object.keys(PORTS) as readonly PortName[];

/** The same for each port. */
export function forEachPort<T>(of: (name: PortName) => T): Readonly<Record<PortName, T>> {
  // `as`: every name is there
  return Object.fromEntries(PORT_NAMES.map((name) => [name, of(name)])) as Record<PortName, T>;
}

function doorPorts(): Readonly<Record<DoorWithPort, PortFacts>> {
  const found = Object.entries<DoorFacts>(DOORS).flatMap(([name, { port }]) =>
    port === undefined ? [] : [[name, port] as const],
  );
  // `as`: exactly those that `DoorWithPort` names
  return Object.fromEntries(found) as Record<DoorWithPort, PortFacts>;
}
