import { checkMessage, checkModal, DiscordError, isObject, type Json } from './limits.ts';

/** What a press led to: words for the one who pressed, or a form. */
export type PressResult =
  | { readonly kind: 'told'; readonly text: string }
  | { readonly kind: 'form'; readonly modal: Json };

/** Three seconds at Discord; a busy test machine gets four times as long. */
const ANSWER_MS = 12_000;
const EPHEMERAL = 64;

interface Open {
  readonly id: string;
  readonly at: number;
  readonly resolve: (result: PressResult) => void;
  state: 'open' | 'deferred' | 'answered';
}

/** Interactions: each must be answered within three seconds, once; a deferred answer is filled in later. */
export class Interactions {
  readonly #open = new Map<string, Open>();
  #next = 1;

  open(): { readonly id: string; readonly token: string; readonly result: Promise<PressResult> } {
    const id = `5000000000000${String(this.#next++).padStart(5, '0')}`;
    const token = `token-${id}`;
    const { promise, resolve } = Promise.withResolvers<PressResult>();
    this.#open.set(token, { id, at: performance.now(), resolve, state: 'open' });
    return { id, token, result: promise };
  }

  respond(id: string, token: string, { type, data }: Json): Json {
    const interaction = this.#open.get(token);
    if (interaction?.id !== id || performance.now() - interaction.at > ANSWER_MS)
      throw new DiscordError(404, 10_062, 'Unknown interaction');
    if (interaction.state !== 'open')
      throw new DiscordError(400, 40_060, 'Interaction has already been acknowledged.');
    if (type === 9) {
      interaction.resolve({ kind: 'form', modal: checkModal(data) });
      interaction.state = 'answered';
    } else if (type === 5) {
      if (!isObject(data) || data.flags !== EPHEMERAL) throw new Error('everyone would read the answer');
      interaction.state = 'deferred';
    } else {
      throw new DiscordError(400, 50_035, 'Invalid Form Body');
    }
    return {};
  }

  editReply(token: string, body: Json): Json {
    const interaction = this.#open.get(token);
    if (interaction?.state !== 'deferred') throw new DiscordError(404, 10_015, 'Unknown Webhook');
    checkMessage(body, [], true);
    interaction.resolve({ kind: 'told', text: String(body.content).replaceAll('``', '') });
    return { id: '1', channel_id: '1', content: body.content };
  }
}
