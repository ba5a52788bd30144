import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { SallyportError } from '@sallyport/protocol';
import type { VolumeConfig } from '../../config/index.ts';
import type { Clock } from '../../shared/clock.ts';
import { LocalStorage } from './local-storage.ts';
import type { OpenVolume } from './volume-files.ts';
import { VolumeMap } from './volume-map.ts';
import { VolumeQuota } from './volume-quota.ts';
import type { LinkFact } from './volume-storage.ts';

const NO_VOLUMES = new VolumeMap([]);

/** The volumes of the config that holds now, each with its storage and its count. */
export class VolumesInForce {
  readonly #home: string;
  readonly #clock: Clock;
  // process-local: file handles of this process
  #open: ReadonlyMap<string, OpenVolume> = new Map();
  // process-local: made from the config, which every gateway reads
  #maps: ReadonlyMap<string, VolumeMap> = new Map();

  constructor({ home, clock }: { readonly home: string; readonly clock: Clock }) {
    this.#home = home;
    this.#clock = clock;
  }

  get isEmpty(): boolean {
    return this.#open.size === 0;
  }

  /** The volumes of one tenant: for its agents there are no others [ID-4]. */
  mapOf(tenant: string): VolumeMap {
    return this.#maps.get(tenant) ?? NO_VOLUMES;
  }

  named(name: string): OpenVolume | undefined {
    return this.#open.get(name);
  }

  /**
   * Looks at the agent's world, in which volumes stand at their mounts and nothing else exists: so that a path is
   * judged where a link inside its volume leads [GA-7]. A link out of its volume cannot be looked at, which the gate
   * refuses before anyone is asked. Targets are read as the sandbox reads them: an absolute one starts at its root.
   */
  linkAt(path: string, map: VolumeMap): LinkFact {
    const found = map.find(path);
    if (found === undefined) return { kind: map.isAboveMount(path) ? 'plain' : 'missing' };
    // A mount covers what the volume around it has at that name.
    if (found.parts.length === 0) return { kind: 'plain' };
    const fact = this.named(found.volume.name)?.storage.linkAt(found.parts) ?? { kind: 'unreadable' };
    if (fact.kind !== 'link') return fact;
    const leads = map.find(posix.resolve('/', posix.dirname(path), fact.target));
    return leads?.volume === found.volume ? fact : { kind: 'unreadable' };
  }

  /** What did not change stays open and counted; what did is closed. */
  update(volumes: readonly VolumeConfig[]): void {
    if (volumes.length > 0 && process.platform !== 'linux') {
      throw new SallyportError('ConfigInvalid', {
        message: 'volumes need Linux: elsewhere folders cannot be held while a path is walked',
        hint: 'remove `volumes` from the config of this machine',
      });
    }
    const before = this.#open;
    const open = new Map(
      volumes.map((config) => [config.name, this.#kept(before, config) ?? this.#make(config)]),
    );
    this.#open = open;
    const tenants = new Set(volumes.flatMap((config) => config.tenants));
    this.#maps = new Map(
      [...tenants].map((tenant) => [
        tenant,
        new VolumeMap(volumes.filter((config) => config.tenants.includes(tenant))),
      ]),
    );
    for (const [name, volume] of before) if (open.get(name) !== volume) volume.storage[Symbol.dispose]();
  }

  #kept(before: ReadonlyMap<string, OpenVolume>, config: VolumeConfig): OpenVolume | undefined {
    const known = before.get(config.name);
    return known !== undefined && isDeepStrictEqual(known.config, config) ? known : undefined;
  }

  #make(config: VolumeConfig): OpenVolume {
    const { name, path, uid, gid, quota_bytes } = config;
    const clock = this.#clock;
    const storage = new LocalStorage({ name, path, uid, gid, closed: [this.#home], clock });
    const quota = new VolumeQuota({
      volume: name,
      bytes: quota_bytes,
      measure: () => storage.measure(),
      clock,
    });
    return { config, storage, quota };
  }
}
