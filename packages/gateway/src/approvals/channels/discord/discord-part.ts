// What the channel uses of the part `discord`: discord.js' own types are there only where the part is installed.

export interface RestOptions {
  readonly api: string;
  readonly version: '10';
  readonly timeout: number;
  readonly retries: number;
  readonly rejectOnRateLimit: (limit: { readonly retryAfter: number }) => boolean;
}

export interface RestRequest {
  readonly body: unknown;
  readonly files?: readonly {
    readonly name: string;
    readonly data: Buffer;
    readonly contentType: string;
  }[];
  readonly signal: AbortSignal;
}

export interface DiscordRest {
  setToken(token: string): DiscordRest;
  post(route: `/${string}`, request: RestRequest): Promise<unknown>;
  patch(route: `/${string}`, request: RestRequest): Promise<unknown>;
  clearHashSweeper(): void;
  clearHandlerSweeper(): void;
}

/** A press or the submission of a form; both must be answered within three seconds. */
export interface DiscordInteraction {
  readonly user: { readonly id: string; readonly bot: boolean; readonly system: boolean };
  readonly channelId: string | null;
  readonly guildId: string | null;
  readonly customId: string;
  readonly fields?: { getTextInputValue(customId: string): string };
  isButton(): boolean;
  isModalSubmit(): boolean;
  deferReply(options: { readonly flags: number }): Promise<unknown>;
  editReply(message: {
    readonly content: string;
    readonly allowedMentions: { readonly parse: [] };
  }): Promise<unknown>;
  showModal(modal: Readonly<Record<string, unknown>>): Promise<unknown>;
}

export interface DiscordClient {
  readonly ws: { readonly shards: Map<number, object> };
  on(event: 'interactionCreate', listener: (interaction: DiscordInteraction) => void): void;
  on(event: 'error' | 'shardError', listener: (error: unknown) => void): void;
  on(
    event: 'shardReady' | 'shardResume' | 'shardReconnecting' | 'shardDisconnect' | 'invalidated',
    listener: () => void,
  ): void;
  login(token: string): Promise<unknown>;
  destroy(): Promise<void>;
}

export interface DiscordPart {
  readonly Client: new (options: {
    readonly intents: readonly never[];
    readonly rest: RestOptions;
  }) => DiscordClient;
  readonly REST: new (options: RestOptions) => DiscordRest;
}
