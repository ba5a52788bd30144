import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import {
  CHANNEL_NAMES,
  type Channel,
  type ChannelProblem,
  type ChannelTools,
  type DecisionLinks,
  deriveAnswerKey,
  type InboxHandler,
  type OpenApprovals,
  type OpenedChannel,
  openChannel,
  type TelegramUpdates,
  type UnprovedAnswer,
} from '../approvals/index.ts';
import type { Logger } from '../audit/index.ts';
import { type ChannelName, type Config, identityKey } from '../config/index.ts';
import {
  areSame,
  type LivePart,
  type LiveProblem,
  problemOf,
  readSecret,
  type SecretContext,
  type SecretsRead,
} from '../ground/index.ts';
import { Rounds } from '../shared/one-at-a-time.ts';
import type { Secret } from '../shared/secret.ts';

/** One that could not be opened is tried again after so long, in ms */
const AGAIN_MS = 30_000;
/** After a problem its secrets are read again: a token may have been replaced. At most so often, in ms */
const LOOK_AGAIN_MS = 5_000;

export interface LiveChannelsParts
  extends SecretContext,
    Pick<ChannelTools, 'clock' | 'operatorUrl' | 'find'> {
  readonly log: Logger;
  readonly operatorToken: Secret;
  /** the config in force now */
  readonly config: () => Config;
  /** identities that got a question on a channel */
  readonly askedOn: (channel: ChannelName, approvalId: string) => Promise<readonly string[]>;
  readonly onUnproved: (channel: ChannelName, answer: UnprovedAnswer) => void;
}

/** One channel of the config: what it was made of, and what became of it. */
interface Slot {
  readonly name: ChannelName;
  readonly wanted: unknown;
  readonly secrets: SecretsRead;
  readonly files: ReadonlyMap<string, string>;
  /** undefined: it could not be made, and `cause` says why */
  readonly made: OpenedChannel | undefined;
  readonly cause?: unknown;
  /** what is wrong with its connection, and with the last question that was brought */
  connection?: LiveProblem | undefined;
  delivery?: LiveProblem | undefined;
}

/** The channels that the config of the moment names. One that cannot be opened takes no other down. */
export class LiveChannels implements LivePart {
  readonly #parts: LiveChannelsParts;
  readonly #rounds = new Rounds(() => this.#follow());
  #slots: readonly Slot[] = [];
  #open: Pick<OpenApprovals, 'useChannels' | 'askAgain'> | undefined;
  #seen: Config | undefined;
  #again: NodeJS.Timeout | undefined;
  #lookedAt = Number.NEGATIVE_INFINITY;

  constructor(parts: LiveChannelsParts) {
    this.#parts = parts;
    parts.signal.addEventListener('abort', () => clearTimeout(this.#again), { once: true });
  }

  /** For the start. Throws what is wrong with the first channel that cannot be made. */
  async first(): Promise<readonly Channel[]> {
    this.#seen = this.#parts.config();
    this.#slots = await this.#make(this.#seen.channels);
    const broken = this.#slots.find(({ made }) => made === undefined);
    if (broken !== undefined) throw broken.cause;
    return this.#channels();
  }

  /** What asks through the channels from now on. */
  attach(open: Pick<OpenApprovals, 'useChannels' | 'askAgain' | 'notStarted'>): void {
    this.#open = open;
    for (const problem of open.notStarted) this.#notStarted(problem);
    this.#tryAgainLater();
  }

  apply(): Promise<void> {
    return this.#rounds.run();
  }

  problems(): readonly LiveProblem[] {
    return this.#slots.flatMap(({ connection, delivery }) => connection ?? delivery ?? []);
  }

  get onMail(): InboxHandler | undefined {
    return this.#way('onMail');
  }

  get decisions(): DecisionLinks | undefined {
    return this.#way('decisions');
  }

  get telegram(): TelegramUpdates | undefined {
    return this.#way('telegram');
  }

  /** How bringing a question went. */
  delivered(channel: Channel, error: unknown): void {
    const slot = this.#slots.find(({ made }) => made?.channel === channel);
    if (slot === undefined) return;
    slot.delivery = error === undefined ? undefined : problemOf(`channels.${slot.name}`, error);
    if (error !== undefined) this.#lookAgain();
  }

  async #follow(): Promise<void> {
    if (this.#parts.signal.aborted) return;
    const before = this.#slots;
    const config = this.#parts.config();
    const isNew = config !== this.#seen;
    this.#seen = config;
    this.#slots = await this.#make(config.channels);
    if (this.#slots.length === before.length && this.#slots.every((slot) => before.includes(slot))) {
      // People may be others than before, on channels that are the same.
      if (isNew) await this.#open?.askAgain();
      return;
    }
    for (const problem of (await this.#open?.useChannels(this.#channels())) ?? []) this.#notStarted(problem);
    this.#tryAgainLater();
  }

  async #make(channels: Config['channels']): Promise<readonly Slot[]> {
    const slots = await Promise.all(
      CHANNEL_NAMES.map(async (name) => {
        const wanted = channels[name];
        if (wanted === undefined) return [];
        const known = this.#slots.find((slot) => slot.name === name);
        if (known !== undefined && (await this.#isSame(known, wanted))) return [known];
        return [await this.#slot(name, wanted)];
      }),
    );
    return slots.flat();
  }

  async #isSame({ made, wanted: before, secrets, files }: Slot, wanted: unknown): Promise<boolean> {
    if (made === undefined || !isDeepStrictEqual(before, wanted)) return false;
    try {
      const now = new Map<string, Secret>();
      for (const reference of secrets.keys()) now.set(reference, await readSecret(reference, this.#parts));
      return areSame(secrets, now) && [...files].every(([path, text]) => this.#text(path) === text);
    } catch (error) {
      // It runs with what it has: that its source cannot be read now is no reason to stop it.
      this.#parts.log.warn({ err: error }, 'a secret of a channel cannot be read again');
      return true;
    }
  }

  async #slot(name: ChannelName, wanted: NonNullable<Config['channels'][ChannelName]>): Promise<Slot> {
    const secrets = new Map<string, Secret>();
    const files = new Map<string, string>();
    const { config, env, clock, operatorUrl, find, operatorToken } = this.#parts;
    // An older one of this name may still have something to say.
    const own = (): Slot | undefined => this.#slots.find((slot) => slot.secrets === secrets);
    const tools: ChannelTools = {
      ...{ env, clock, operatorUrl, find, key: deriveAnswerKey(operatorToken) },
      read: async (reference) => {
        const secret = await readSecret(reference, this.#parts);
        secrets.set(reference, secret);
        return secret;
      },
      readText: (path) => {
        const text = this.#text(path);
        files.set(path, text);
        return text;
      },
      isListed: (identity) => lists(config(), name, identity),
      identities: () => identitiesOn(config(), name),
      asked: (approvalId) => this.#parts.askedOn(name, approvalId),
      onUnproved: (answer) => this.#parts.onUnproved(name, answer),
      onProblem: (error) => {
        this.#parts.log.warn({ err: error }, 'an approval channel has a problem');
        const slot = own();
        if (slot === undefined) return;
        slot.connection = problemOf(`channels.${name}`, error);
        this.#lookAgain();
      },
      onHealthy: () => {
        const slot = own();
        if (slot !== undefined) slot.connection = undefined;
      },
    };
    try {
      const made = await openChannel(name, wanted, tools);
      return { name, wanted, secrets, files, made };
    } catch (cause) {
      this.#parts.log.error({ err: cause }, `the channel \`${name}\` cannot be opened`);
      const connection = problemOf(`channels.${name}`, cause);
      return { name, wanted, secrets, files, made: undefined, cause, connection };
    }
  }

  #text(path: string): string {
    return readFileSync(resolve(this.#parts.paths.home, path), 'utf8');
  }

  #notStarted({ channel, error }: ChannelProblem): void {
    // Made anew with the next try.
    this.#slots = this.#slots.map((slot) =>
      slot.made?.channel === channel
        ? { ...slot, wanted: undefined, connection: problemOf(`channels.${slot.name}`, error) }
        : slot,
    );
  }

  /** Its token may have been replaced at its source. */
  #lookAgain(): void {
    const now = performance.now();
    if (now - this.#lookedAt < LOOK_AGAIN_MS || this.#parts.signal.aborted) return;
    this.#lookedAt = now;
    this.apply().catch((cause: unknown) =>
      this.#parts.log.error({ err: cause }, 'channels could not be looked at'),
    );
  }

  #tryAgainLater(): void {
    clearTimeout(this.#again);
    if (this.#slots.every(({ made, wanted }) => made !== undefined && wanted !== undefined)) return;
    this.#again = setTimeout(() => void this.apply().catch(() => {}), AGAIN_MS).unref();
  }

  #channels(): readonly Channel[] {
    return this.#slots.flatMap(({ made }) => made?.channel ?? []);
  }

  #way<Key extends 'onMail' | 'decisions' | 'telegram'>(key: Key): OpenedChannel[Key] | undefined {
    return this.#slots.find(({ made }) => made?.[key] !== undefined)?.made?.[key];
  }
}

/** Whether somebody in the config has this identity on the channel. */
function lists(config: Config, channel: ChannelName, identity: string): boolean {
  const wanted = identityKey(channel, identity);
  return identitiesOn(config, channel).some((own) => identityKey(channel, own) === wanted);
}

function identitiesOn({ tenants }: Config, channel: ChannelName): readonly string[] {
  return Object.values(tenants).flatMap(({ users }) =>
    Object.values(users).flatMap(({ identities }) => {
      const own = Object.hasOwn(identities, channel) ? identities[channel] : undefined;
      return own === undefined ? [] : [own];
    }),
  );
}
