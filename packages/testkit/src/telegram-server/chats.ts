/** A refusal as the Bot API words it. */
export class ApiError extends Error {
  readonly code: number;
  readonly retryAfter: number | undefined;

  constructor(code: number, description: string, retryAfter?: number) {
    super(description);
    this.code = code;
    this.retryAfter = retryAfter;
  }
}

export function badRequest(description: string): ApiError {
  return new ApiError(400, `Bad Request: ${description}`);
}

export interface Button {
  readonly text: string;
  readonly callback_data?: string;
}

/** A message as the chat shows it now. */
export interface ChatMessage {
  readonly chat: number;
  readonly id: number;
  /** without markup */
  readonly text: string;
  readonly html: string;
  readonly buttons: readonly Button[];
  readonly replyTo?: number;
  readonly document?: { readonly name: string; readonly content: string };
  readonly edits: number;
}

/** Private chats of people who pressed "Start", and what the bot said in them. */
export class Chats {
  readonly #known = new Map<number, { blocked: boolean }>();
  readonly #messages = new Map<string, ChatMessage>();
  #nextId = 1;

  open(chat: number): void {
    this.#known.set(chat, { blocked: false });
  }

  block(chat: number): void {
    this.#known.set(chat, { blocked: true });
  }

  describe(chat: number): Readonly<Record<string, unknown>> {
    this.#reach(chat);
    return { id: chat, type: 'private', first_name: 'Person', accent_color_id: 0, max_reaction_count: 11 };
  }

  add(chat: number, message: Omit<ChatMessage, 'chat' | 'id' | 'edits'>): ChatMessage {
    this.#reach(chat);
    if (message.replyTo !== undefined && this.find(chat, message.replyTo) === undefined) {
      throw badRequest('message to be replied not found');
    }
    const added: ChatMessage = { ...message, chat, id: this.#nextId, edits: 0 };
    this.#nextId += 1;
    this.#messages.set(`${chat}/${added.id}`, added);
    return added;
  }

  edit(chat: number, id: number, change: Pick<ChatMessage, 'text' | 'html' | 'buttons'>): ChatMessage {
    this.#reach(chat);
    const before = this.find(chat, id);
    if (before === undefined) throw badRequest('message to edit not found');
    if (before.html === change.html && JSON.stringify(before.buttons) === JSON.stringify(change.buttons)) {
      throw badRequest(
        'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
      );
    }
    const after = { ...before, ...change, edits: before.edits + 1 };
    this.#messages.set(`${chat}/${id}`, after);
    return after;
  }

  delete(chat: number, id: number): void {
    this.#messages.delete(`${chat}/${id}`);
  }

  find(chat: number, id: number): ChatMessage | undefined {
    return this.#messages.get(`${chat}/${id}`);
  }

  list(chat: number): readonly ChatMessage[] {
    return [...this.#messages.values()].filter((message) => message.chat === chat);
  }

  #reach(chat: number): void {
    const known = this.#known.get(chat);
    if (known === undefined) throw badRequest('chat not found');
    if (known.blocked) throw new ApiError(403, 'Forbidden: bot was blocked by the user');
  }
}
