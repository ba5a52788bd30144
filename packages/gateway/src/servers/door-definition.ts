import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Door, DoorWithPort, Target } from '@sallyport/protocol';
import type { DoctorCheck } from '../config/index.ts';
import type { App, BaseAppOptions } from './base-app.ts';
import type { OperatorServices } from './operator-services.ts';
import type { AgentServices } from './services.ts';

/**
 * A way in. What the gate must know of it stands beside its name, in `DOORS` of the protocol; everything else is here:
 * routes, listeners, addresses, `doctor` and docs are made from the list of these.
 */
export interface DoorDefinition<Name extends Door = Door> {
  readonly name: Name;
  /** kinds of targets that its actions have */
  readonly targets: readonly Target['kind'][];
  /** what `sallyport doctor` looks at for it */
  readonly doctor?: readonly DoctorCheck[];
  /**
   * Builds the door; nothing listens yet. What most starts do not need is loaded with the first caller.
   *
   * SECURITY: these are the services of the agent side: a door never holds what is the operator's [ID-1].
   */
  open(services: AgentServices): OpenDoorOf<Name> | Promise<OpenDoorOf<Name>>;
}

/** A door that its facts give a port has something that takes the connections of that port. */
export type OpenDoorOf<Name extends Door> = Name extends DoorWithPort
  ? OpenDoor & { readonly listener: PortListener }
  : OpenDoor;

/** A door that is built. */
export interface OpenDoor {
  /** Adds its routes to what agents reach. */
  agentRoutes?(app: App): void;
  /** Adds its routes to what people reach. */
  operatorRoutes?(app: App, services: OperatorServices): void;
  readonly listener?: PortListener;
  /** What takes ordinary messages of this door before the framework does, and hands on as it came whatever is not. */
  front?(side: BaseAppOptions): ConnectionFront;
  /** After the listeners: nobody comes any more. */
  close?(): Promise<void> | void;
}

/** Takes the connections of a port. It listens on nothing itself. */
export interface PortListener {
  accept(socket: Socket): void;
  /** Cuts every connection and takes no more. */
  close(): Promise<void>;
}

/** What takes the connections of a port before its server does. */
export interface ConnectionFront {
  /** From now on connections of this server come here first. */
  standBefore(server: Server, isTls: boolean): void;
  /** Ends what is not in use and takes no more. */
  close(): void;
  /** Cuts every connection now. */
  cut(): void;
}

/** The agent side, ready to listen. */
export interface AgentSide {
  readonly app: App;
  /** what stands before its port */
  readonly fronts: readonly ConnectionFront[];
}
