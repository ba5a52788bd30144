import type { EventType, JsonObject, SallyportError } from '@sallyport/protocol';
import type { Logger, Trail } from '../audit/index.ts';
import { type LoadedConfig, problemsOf } from '../config/index.ts';
import { type ConfigListener, SYSTEM_TENANT } from '../ground/index.ts';

type OwnEventType = Extract<EventType, `GatewayEvent::${string}` | `ConfigEvent::${string}`>;

/** Writes down what happens to the gateway itself, in the trail and in the log. */
export class GatewayEvents implements ConfigListener {
  readonly #trail: Trail;
  readonly #log: Logger;

  constructor(trail: Trail, log: Logger) {
    this.#trail = trail;
    this.#log = log;
  }

  async record(type: OwnEventType, data: JsonObject): Promise<void> {
    await this.#trail.append({ tenant: SYSTEM_TENANT, type, actor: { kind: 'gateway' }, data });
    this.#log.info({ type, ...data }, 'recorded');
  }

  async started(
    version: string,
    ports: Readonly<Record<string, number>>,
    loaded: LoadedConfig,
  ): Promise<void> {
    await this.record('GatewayEvent::Started', { version, pid: process.pid, ports: { ...ports } });
    await this.record('ConfigEvent::Loaded', describeConfig(loaded));
  }

  onReloaded(loaded: LoadedConfig, needsRestart: readonly string[]): void {
    if (needsRestart.length > 0)
      this.#log.warn(
        { needs_restart: needsRestart },
        `changed in the config, and in force from the next start on: ${needsRestart.join(', ')}`,
      );
    this.#recordSoon('ConfigEvent::Reloaded', {
      ...describeConfig(loaded),
      needs_restart: [...needsRestart],
    });
  }

  onRejected(error: SallyportError): void {
    this.#log.warn({ problem: error.message }, 'a change of the config was refused, the old one stays');
    this.#recordSoon('ConfigEvent::Rejected', {
      message: error.message,
      problems: problemsOf(error).map(
        ({ file, line, column, message }) => `${file}:${line}:${column}: ${message}`,
      ),
    });
  }

  onPartFailed(error: unknown): void {
    this.#log.error({ err: error }, 'a part of the gateway could not follow the config');
  }

  // The config changes whether or not the trail can be written: what it allows is recorded with each use.
  #recordSoon(type: OwnEventType, data: JsonObject): void {
    this.record(type, data).catch((error: unknown) =>
      this.#log.error({ err: error, type }, 'an event was not recorded'),
    );
  }
}

function describeConfig({ revision, files, warnings }: LoadedConfig): JsonObject {
  return { revision, files: [...files], warnings: warnings.length };
}
