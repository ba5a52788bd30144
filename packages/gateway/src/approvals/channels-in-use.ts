import type { AnswerOutcome } from './approval/message.ts';
import type { Channel, OnAnswer } from './channels/channel.ts';

/** How long the messages of a channel that is closed may take to say so, in ms */
const CLOSING_MS = 1_000;

const CLOSED: AnswerOutcome = {
  kind: 'refused',
  message: 'the gateway does not hear answers here any more: answer somewhere else',
};

/** A channel that could not be started. */
export interface ChannelProblem {
  readonly channel: Channel;
  readonly error: unknown;
}

export interface ChannelsInUseParts {
  /** what takes the answers of a channel */
  readonly onAnswer: (channel: Channel) => OnAnswer;
  /** Has the messages of a channel say that nobody hears an answer to them. */
  readonly sayClosed: (channel: Channel, signal: AbortSignal) => Promise<void>;
  /** others are open; `gone` were closed */
  readonly onChanged: (gone: readonly Channel[]) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** The channels that are open: started, replaced one by one, stopped. */
export class ChannelsInUse {
  readonly #parts: ChannelsInUseParts;
  readonly #stopping = new AbortController();
  // process-local: connections of this process
  readonly #heard = new Set<Channel>();
  #wanted: readonly Channel[] = [];
  #open: readonly Channel[] = [];
  #turn: Promise<unknown> = Promise.resolve();

  constructor(parts: ChannelsInUseParts) {
    this.#parts = parts;
  }

  /** those that can be used now */
  get open(): readonly Channel[] {
    return this.#open;
  }

  /** the same, and those that are about to be opened */
  get wanted(): readonly Channel[] {
    return this.#wanted;
  }

  /** From now on these; one that is the same object goes on. What is returned could not be started. */
  use(next: readonly Channel[]): Promise<readonly ChannelProblem[]> {
    const done = this.#turn.then(() => this.#change(next));
    this.#turn = done.catch(() => {});
    return done;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#turn;
    await Promise.all(this.#open.map((channel) => this.#stop(channel)));
  }

  async #change(next: readonly Channel[]): Promise<readonly ChannelProblem[]> {
    const before = this.#open;
    const gone = before.filter((channel) => !next.includes(channel));
    const fresh = next.filter((channel) => !before.includes(channel));
    this.#wanted = next;
    this.#open = before.filter((channel) => next.includes(channel));
    // One account has one listener: the old one leaves before the new one comes.
    await Promise.all(
      gone.map(async (channel) => {
        const { name, place } = channel;
        const isMoved = !next.some((other) => other.name === name && other.place === place);
        if (isMoved) await this.#leave(channel);
        await this.#stop(channel);
      }),
    );
    const problems = await Promise.all(fresh.map((channel) => this.#start(channel)));
    this.#open = next;
    if (before.length > 0 || next.length > 0) await this.#parts.onChanged(gone);
    return problems.filter((problem) => problem !== undefined);
  }

  async #start(channel: Channel): Promise<ChannelProblem | undefined> {
    this.#heard.add(channel);
    const onAnswer = this.#parts.onAnswer(channel);
    try {
      await channel.start(
        // SECURITY: a channel that was closed decides nothing, whatever is still on its way from it.
        async (answer) => (this.#heard.has(channel) ? onAnswer(answer) : CLOSED),
        this.#stopping.signal,
      );
      return undefined;
    } catch (error) {
      this.#parts.onError(error);
      return { channel, error };
    }
  }

  async #leave(channel: Channel): Promise<void> {
    const { sayClosed, onError } = this.#parts;
    await sayClosed(channel, AbortSignal.timeout(CLOSING_MS)).catch(onError);
  }

  async #stop(channel: Channel): Promise<void> {
    this.#heard.delete(channel);
    await channel.stop().catch(this.#parts.onError);
  }
}
