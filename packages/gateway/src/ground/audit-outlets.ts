import { resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { isDeepStrictEqual } from 'node:util';
import {
  type Anchor,
  type AuditSink,
  FileAnchor,
  type Redactor,
  sinkDefinition,
  type Trail,
  type TrailSettings,
  WebhookAnchor,
} from '../audit/index.ts';
import {
  type AuditSinkConfig,
  AuditSinkSchema,
  type Config,
  type HomePaths,
  type Variables,
} from '../config/index.ts';
import type { Clock } from '../shared/clock.ts';
import type { Secret } from '../shared/secret.ts';
import { type LivePart, type LiveProblem, problemOf } from './live-part.ts';
import { areSame, readSecret, type SecretsRead } from './read-secret.ts';

export interface OutletContext {
  readonly paths: HomePaths;
  readonly env: Variables;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly stdout: Writable;
  readonly signal: AbortSignal;
}

/** What the config says about files when it says nothing. */
const FILES_IN_ANY_CASE = AuditSinkSchema.parse({ kind: 'jsonl' });

/** What a sink was made of. One of the same is the same sink, and goes on. */
interface Made {
  readonly wanted: AuditSinkConfig;
  readonly secrets: SecretsRead;
  readonly sink: AuditSink;
  /** path of the setting that asks for it */
  readonly key: string;
}

/** The sinks and the anchor that the config of the moment asks for. JSONL files in the home are there in any case. */
export class AuditOutlets implements LivePart {
  readonly #audit: () => Config['audit'];
  readonly #context: OutletContext;
  #made: readonly Made[] = [];
  #anchor: { readonly recipe: string; readonly anchor: Anchor | undefined } | undefined;
  #trail: Trail | undefined;
  #problems: readonly LiveProblem[] = [];

  constructor(audit: () => Config['audit'], context: OutletContext) {
    this.#audit = audit;
    this.#context = context;
  }

  /** For the start. Throws `SecretUnreadable` or `SecretExposed` for a secret that cannot be read. */
  async first(): Promise<TrailSettings> {
    const { settings, failed } = await this.#read();
    const [problem] = failed.values();
    if (problem !== undefined) throw problem;
    return settings;
  }

  /** The trail that follows the config from now on. */
  attach(trail: Trail): void {
    this.#trail = trail;
  }

  /** What cannot be opened is left out and said; the others go on. */
  async apply(): Promise<void> {
    const { settings, failed } = await this.#read();
    for (const { sink, error } of (await this.#trail?.apply(settings)) ?? []) {
      failed.set(this.#keyOf(sink.id), error);
      // Not the same one again: it is tried anew with the next change.
      this.#made = this.#made.filter((made) => made.sink !== sink);
    }
    this.#problems = [...failed].map(([key, error]) => problemOf(key, error));
  }

  problems(): readonly LiveProblem[] {
    const { sinks = [], anchor, problem } = this.#trail?.health ?? {};
    return [
      ...this.#problems,
      ...(problem === undefined ? [] : [{ key: 'audit', message: problem }]),
      ...sinks.flatMap(({ id, problem: why }) =>
        why === undefined ? [] : [{ key: this.#keyOf(id), message: why }],
      ),
      ...(anchor?.problem === undefined ? [] : [{ key: 'audit.anchor', message: anchor.problem }]),
    ];
  }

  async #read(): Promise<{ readonly settings: TrailSettings; readonly failed: Map<string, unknown> }> {
    const audit = this.#audit();
    const failed = new Map<string, unknown>();
    const made: Made[] = [];
    for (const [index, wanted] of audit.sinks.entries()) {
      const key = `audit.sinks.${index}`;
      try {
        made.push({ ...(await this.#sink(wanted)), key });
      } catch (error) {
        failed.set(key, error);
      }
    }
    if (!audit.sinks.some(({ kind }) => kind === 'jsonl'))
      made.push({ ...(await this.#sink(FILES_IN_ANY_CASE)), key: 'audit.sinks' });
    this.#made = made;
    const recipe = JSON.stringify(audit.anchor ?? null);
    if (this.#anchor?.recipe !== recipe)
      this.#anchor = { recipe, anchor: createAnchor(audit.anchor, this.#context.paths) };
    return {
      settings: {
        level: audit.level,
        checkpointIntervalMs: audit.checkpoint.every_seconds * 1000,
        sinks: made.map(({ sink }) => sink),
        anchor: this.#anchor.anchor,
      },
      failed,
    };
  }

  #keyOf(id: string): string {
    return this.#made.find(({ sink }) => sink.id === id)?.key ?? 'audit.sinks';
  }

  async #sink(wanted: AuditSinkConfig): Promise<Omit<Made, 'key'>> {
    const definition = sinkDefinition(wanted);
    const secrets = new Map<string, Secret>();
    for (const reference of definition.references(wanted))
      secrets.set(reference, await readSecret(reference, this.#context));
    const known = this.#made.find(
      (made) => isDeepStrictEqual(made.wanted, wanted) && areSame(made.secrets, secrets),
    );
    if (known !== undefined) return { wanted, secrets, sink: known.sink };
    const { clock, stdout, paths } = this.#context;
    const sink = definition.open(wanted, { folder: paths.auditFolder, stdout, clock, secrets });
    return { wanted, secrets, sink };
  }
}

function createAnchor(anchor: Config['audit']['anchor'], { home }: HomePaths): Anchor | undefined {
  if (anchor?.webhook !== undefined) return new WebhookAnchor(anchor.webhook);
  if (anchor?.file !== undefined) return new FileAnchor(resolve(home, anchor.file));
  return undefined;
}
