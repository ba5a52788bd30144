import {
  type Action,
  type Actor,
  type ErrorCode,
  type JsonObject,
  SallyportError,
} from '@sallyport/protocol';
import type { AuditTrail } from '../../audit/index.ts';
import type { VolumeConfig } from '../../config/index.ts';
import { type Clock, systemClock } from '../../shared/clock.ts';
import { redeemPermit } from '../../shared/permit.ts';
import { FILE_TOOLS, type FileTool } from '../../tools/index.ts';
import type { ToolJob, ToolListing, ToolPath, ToolResult } from '../tools/tool-path.ts';
import { FILE_LISTINGS, isFileTool, parseFileJob } from './file-tools.ts';
import { runFileTool } from './run-file-tool.ts';
import { eventOf, VolumeFiles } from './volume-files.ts';
import type { VolumePlace } from './volume-map.ts';
import type { LinkFact } from './volume-storage.ts';
import { VolumesInForce } from './volumes-in-force.ts';

export interface FilesPathOptions {
  readonly volumes: readonly VolumeConfig[];
  readonly trail: AuditTrail;
  /** absolute: the gateway's home, which no volume may share files with */
  readonly home: string;
  readonly clock?: Clock;
}

/** Where an agent stands in its own world, and how links in it are looked at: parts of an `ActionContext`. */
export interface FilesContext {
  readonly cwd: string;
  readonly links: (path: string) => LinkFact;
}

/** Path 1: the files of volumes, on the host. Throws `ConfigInvalid` where the system has no way to hold folders. */
export function createFilesPath({ clock = systemClock, ...options }: FilesPathOptions): FilesPath {
  return new FilesPath({ ...options, clock });
}

/** `fs.read`, `fs.write`, `fs.create`, `fs.delete`, `fs.list` over the configured volumes. */
export class FilesPath implements ToolPath, Disposable {
  readonly kind = 'fsal';
  readonly #trail: AuditTrail;
  readonly #volumes: VolumesInForce;
  readonly #files: VolumeFiles;

  constructor({ volumes, trail, home, clock }: Required<FilesPathOptions>) {
    this.#trail = trail;
    this.#volumes = new VolumesInForce({ home, clock });
    this.#files = new VolumeFiles({ trail, volumeNamed: (name) => this.#volumes.named(name) });
    this.update(volumes);
  }

  /** Takes another list of volumes, after a reload. Handles of volumes that changed are worth nothing from now on. */
  update(volumes: readonly VolumeConfig[]): void {
    this.#volumes.update(volumes);
  }

  /** What building an action of an `fs.*` tool needs, so that it is judged where it leads. */
  context(tenant: string): FilesContext {
    const map = this.#volumes.mapOf(tenant);
    return { cwd: map.first?.mount ?? '/', links: (path) => this.#volumes.linkAt(path, map) };
  }

  tools({ tenant }: Actor): readonly ToolListing[] {
    const { volumes } = this.#volumes.mapOf(tenant);
    const isWritable = volumes.some(({ mode }) => mode === 'rw');
    if (volumes.length === 0) return [];
    return FILE_LISTINGS.filter(({ annotations }) => isWritable || annotations?.readOnlyHint === true);
  }

  knows(tool: string): boolean {
    return isFileTool(tool) && !this.#volumes.isEmpty;
  }

  async run({ action, verdict, signal }: ToolJob): Promise<ToolResult> {
    redeemPermit(verdict, action);
    const { tool } = action;
    if (!isFileTool(tool)) throw new SallyportError('ToolNotFound');
    const job = parseFileJob(tool, action.input);
    const { volume, parts } = this.#placeOf(action, tool);
    const caller = { actor: action.actor, actionId: action.id, signal };
    const place = { files: this.#files, caller, volume: volume.name, parts };
    return toResult(tool, await runFileTool(job, place));
  }

  /** For whoever hears the gate's no: a `..` that was stopped before it came here is an event all the same [TO-4]. */
  refused(action: Action, violation: ErrorCode): void {
    if (violation !== 'PathTraversalAttempt' || !isFileTool(action.tool)) return;
    const path = typeof action.input.path === 'string' ? action.input.path : '';
    const caller = { actor: action.actor, actionId: action.id };
    this.#trail.note(eventOf(caller, 'StorageEvent::PathTraversalBlocked', { path: path.slice(0, 4096) }));
  }

  [Symbol.dispose](): void {
    this.update([]);
  }

  /** The place that was judged. What is opened is `real`, and links met on the way there are refused. */
  #placeOf({ actor, target }: Action, tool: FileTool): VolumePlace {
    const [fact, ...more] = target.kind === 'path' ? target.paths : [];
    if (
      target.kind !== 'path' ||
      fact === undefined ||
      more.length > 0 ||
      fact.access !== FILE_TOOLS[tool].call.target.access
    )
      throw new SallyportError('NotAdmitted');
    const map = this.#volumes.mapOf(actor.tenant);
    const asked = map.find(fact.given.startsWith('/') ? fact.given : `${target.cwd}/${fact.given}`);
    const leads = map.find(fact.real);
    if (asked === undefined || leads === undefined)
      throw new SallyportError('PathOutsideBoundary', {
        message: `no volume is mounted at \`${fact.real}\``,
        hint: `there are volumes at ${map.volumes.map(({ mount }) => `\`${mount}\``).join(', ')}`,
      });
    // SECURITY: also a link from one volume into another leaves its volume.
    if (asked.volume !== leads.volume)
      throw new SallyportError('PathOutsideBoundary', {
        message: `\`${fact.given}\` leads out of its volume`,
      });
    return leads;
  }
}

/** Text first: clients that know nothing else show it. A file's text is shown as it is. */
function toResult(tool: FileTool, data: JsonObject): ToolResult {
  const text = tool === 'fs.read' && typeof data.content === 'string' ? data.content : JSON.stringify(data);
  return { content: [{ type: 'text', text }], structuredContent: data };
}
