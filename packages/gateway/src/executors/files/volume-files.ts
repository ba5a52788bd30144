import {
  type Actor,
  type EventType,
  type JsonObject,
  type NewEvent,
  SallyportError,
} from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { VolumeConfig } from '../../config/index.ts';
import { digestOf, type HandleFacts, HandleSeal } from './file-handle.ts';
import { isDots, isPlainName, partsOf } from './volume-map.ts';
import type { VolumeQuota } from './volume-quota.ts';
import type { EntryPage, FileRange, StoragePlace, VolumeStorage } from './volume-storage.ts';

/** A volume that is in use. */
export interface OpenVolume {
  readonly config: VolumeConfig;
  readonly storage: VolumeStorage;
  readonly quota: VolumeQuota;
}

export interface VolumeFilesParts {
  readonly trail: AuditTrail;
  /** the volumes of this moment, by name */
  readonly volumeNamed: (name: string) => OpenVolume | undefined;
}

/** Who uses a handle, and for which action. */
export interface Caller {
  readonly actor: Actor;
  readonly actionId?: string;
  readonly signal: AbortSignal;
}

interface OpenPlace {
  readonly execution: Buffer;
  readonly volume: OpenVolume;
  readonly place: StoragePlace;
  /** below the mount, for events */
  readonly path: string;
}

type StorageOperation = 'read' | 'list' | 'write' | 'create' | 'delete';

/** Places that may be open at once, of one execution and of all; each holds a descriptor. */
const OPEN_AT_MOST = { each: 256, all: 1024 };

/**
 * The file layer. `open` gives an opaque handle; everything else takes one.
 *
 * Contract:
 * - A handle works for the execution that opened it, on the volume and in the way that it was opened for, until it
 *   is closed. Anything else is `UnauthorizedVolumeAccess`, an event, and nothing happens.
 * - A path with a `.` or `..` component is `PathTraversalAttempt` and an event; storage never sees it.
 * - Each completed operation is an event.
 */
export class VolumeFiles {
  readonly #parts: VolumeFilesParts;
  readonly #seal = new HandleSeal();
  // process-local: file handles of this process
  readonly #open = new Map<string, OpenPlace>();

  constructor(parts: VolumeFilesParts) {
    this.#parts = parts;
  }

  /** `path` is below the volume's mount. What it names need not exist; the folder that it is in must. */
  open(caller: Caller, volumeName: string, path: string, access: HandleFacts['access']): Uint8Array {
    const execution = executionOf(caller.actor);
    const volume = this.#parts.volumeNamed(volumeName);
    if (execution === undefined || volume === undefined)
      throw this.#unauthorized(caller, 'no such volume', volumeName);
    const parts = this.#plainParts(caller, volume.config.name, path);
    if (access === 'write' && volume.config.mode === 'ro') {
      throw new SallyportError('VolumeReadOnly', {
        message: `volume \`${volume.config.name}\` is read-only`,
      });
    }
    if (this.#open.size >= OPEN_AT_MOST.all || this.#countOf(execution) >= OPEN_AT_MOST.each) {
      throw new SallyportError('Unavailable', {
        message: 'too many files are open at once',
        hint: 'wait for the calls that are under way, then try again',
      });
    }
    const place = this.#seal.newPlace();
    this.#open.set(place.toString('hex'), {
      volume,
      execution,
      place: volume.storage.open(parts),
      path: `/${parts.join('/')}`,
    });
    return this.#seal.seal({ execution, volume: volumeKey(volume.config), access, place });
  }

  async read(caller: Caller, handle: Uint8Array, offset: number, length: number): Promise<FileRange> {
    const open = this.#take(caller, handle, 'read');
    const range = await open.place.read(offset, length);
    this.#note(caller, open, 'read', { bytes: range.bytes.length, offset });
    return range;
  }

  async list(caller: Caller, handle: Uint8Array, after: string, limit: number): Promise<EntryPage> {
    const open = this.#take(caller, handle, 'read');
    const page = await open.place.list(after, limit);
    this.#note(caller, open, 'list', { entries: page.entries.length });
    return page;
  }

  /** The whole file: what was there is replaced at once, or refused with `mustBeNew`. */
  async write(caller: Caller, handle: Uint8Array, bytes: Uint8Array, mustBeNew: boolean): Promise<void> {
    const open = this.#take(caller, handle, 'write');
    const before = open.place.size();
    const growth = { bytes: bytes.length - (before ?? 0), entries: before === undefined ? 1 : 0 };
    using room = await open.volume.quota.reserve(growth);
    await open.place.write(bytes, { mustBeNew, commit: room.commit, signal: caller.signal });
    this.#note(caller, open, mustBeNew ? 'create' : 'write', { bytes: bytes.length });
  }

  async makeFolder(caller: Caller, handle: Uint8Array): Promise<void> {
    const open = this.#take(caller, handle, 'write');
    using room = await open.volume.quota.reserve({ bytes: 0, entries: 1 });
    await open.place.makeFolder(room.commit);
    this.#note(caller, open, 'create', {});
  }

  remove(caller: Caller, handle: Uint8Array): void {
    const open = this.#take(caller, handle, 'write');
    open.place.remove(open.volume.quota.freed);
    this.#note(caller, open, 'delete', {});
  }

  close(caller: Caller, handle: Uint8Array): void {
    const { facts, open } = this.#own(caller, handle);
    this.#open.delete(facts.place.toString('hex'));
    open.place[Symbol.dispose]();
  }

  #countOf(execution: Buffer): number {
    let count = 0;
    for (const open of this.#open.values()) if (open.execution.equals(execution)) count += 1;
    return count;
  }

  #take(caller: Caller, handle: Uint8Array, access: HandleFacts['access']): OpenPlace {
    const { facts, open } = this.#own(caller, handle);
    const { config } = open.volume;
    const isInForce = this.#parts.volumeNamed(config.name) === open.volume;
    if (!isInForce || !volumeKey(config).equals(facts.volume))
      throw this.#unauthorized(caller, 'the handle of a volume that is no longer there', config.name);
    if (facts.access !== access)
      throw this.#unauthorized(caller, `a handle that is not to ${access}`, config.name);
    return open;
  }

  #own(caller: Caller, handle: Uint8Array): { readonly facts: HandleFacts; readonly open: OpenPlace } {
    const facts = this.#seal.open(handle);
    if (facts === undefined) throw this.#unauthorized(caller, 'not a handle of this gateway');
    // SECURITY: a handle that leaked to another execution is worth nothing there [TO-3].
    if (executionOf(caller.actor)?.equals(facts.execution) !== true)
      throw this.#unauthorized(caller, 'the handle of another execution');
    const open = this.#open.get(facts.place.toString('hex'));
    if (open === undefined) throw this.#unauthorized(caller, 'a handle that was closed');
    return { facts, open };
  }

  #plainParts(caller: Caller, volume: string, path: string): readonly string[] {
    const parts = partsOf(path);
    if (parts.some(isDots)) {
      this.#parts.trail.note(eventOf(caller, 'StorageEvent::PathTraversalBlocked', { volume, path }));
      throw new SallyportError('PathTraversalAttempt', {
        message: 'the path contains `.` or `..` components: write the plain path',
      });
    }
    if (!parts.every(isPlainName))
      throw new SallyportError('BadRequest', { message: 'the path has characters that no name can have' });
    return parts;
  }

  #note(caller: Caller, { volume, path }: OpenPlace, operation: StorageOperation, data: JsonObject): void {
    const isRead = operation === 'read' || operation === 'list';
    const type = isRead ? 'StorageEvent::FileRead' : 'StorageEvent::FileWritten';
    this.#parts.trail.note(eventOf(caller, type, { volume: volume.config.name, path, operation, ...data }));
  }

  #unauthorized(caller: Caller, reason: string, volume?: string): SallyportError {
    const data = { reason, ...(volume === undefined ? {} : { volume }) };
    this.#parts.trail.note(eventOf(caller, 'StorageEvent::UnauthorizedVolumeAccess', data));
    return new SallyportError('UnauthorizedVolumeAccess');
  }
}

/** Whose files are open: a session without executions is one execution. */
function executionOf({ tenant, execution, session }: Actor): Buffer | undefined {
  const id = execution ?? session;
  return id === undefined
    ? undefined
    : digestOf('execution', tenant, execution === undefined ? 'session' : 'run', id);
}

/** Another folder under the same name is another volume. */
function volumeKey({ name, path }: VolumeConfig): Buffer {
  return digestOf('volume', name, path);
}

/** One line of the trail about the files of a volume. Paths are the agent's, never this machine's. */
export function eventOf(
  { actor, actionId }: Pick<Caller, 'actor' | 'actionId'>,
  type: EventType & `StorageEvent::${string}`,
  data: JsonObject,
): NewEvent {
  return {
    tenant: actor.tenant,
    type,
    actor: { kind: 'agent', ...actor },
    ...(actionId === undefined ? {} : { action_id: actionId }),
    data,
  };
}
